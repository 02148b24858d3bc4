package io.evenkeel.sandbox.kube.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A case that spends its time waiting for a server's clocks; {@link WaitingCases} runs it beside the others. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Waits {}
