/** Reading and writing of JSON and YAML bodies. */
@NullMarked
package io.evenkeel.sandbox.kube.json;

import org.jspecify.annotations.NullMarked;
