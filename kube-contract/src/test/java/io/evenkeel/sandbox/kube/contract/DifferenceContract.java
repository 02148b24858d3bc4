package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the servers differ, and how: all other cases hold on both. */
interface DifferenceContract extends Contract {
    /** Whether this is a real server. */
    boolean isReal();

    @ParameterizedTest
    @EnumSource(Difference.class)
    default void givenAListedDifference_whenLookedAt_thenItIsThereAsListed(Difference difference) {
        assertThat(difference.observe(this)).isEqualTo(difference.expected(isReal()));
    }
}
