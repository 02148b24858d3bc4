/** One cluster's API server over HTTP/2: credentials, clients, streams with back-pressure, discovery, identity. */
@NullMarked
package io.evenkeel.watcher.connection;

import org.jspecify.annotations.NullMarked;
