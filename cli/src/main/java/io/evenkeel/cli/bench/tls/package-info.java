/** TLS for connections of the measurements that are not made by the Kubernetes client. */
@NullMarked
package io.evenkeel.cli.bench.tls;

import org.jspecify.annotations.NullMarked;
