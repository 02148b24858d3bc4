/** The Memcached operator: a number of replicas becomes a Deployment and a Service. */
@NullMarked
package io.evenkeel.examples.memcached;

import org.jspecify.annotations.NullMarked;
