/** What clients of the proxy connect to: TLS, HTTP, and connections that can go dark or break. */
@NullMarked
package io.evenkeel.sandbox.fault.front;

import org.jspecify.annotations.NullMarked;
