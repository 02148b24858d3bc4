package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.evenkeel.api.record.Selection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchedResourceTest {
    @Test
    void givenFlagsOfKubectl_whenRead_thenTheyAreTheSelection() {
        assertThat(WatchedResource.parse("pods -n shop -l tier in (b, a) -l app==web"))
                .isEqualTo(new WatchedResource(
                        Optional.of(new ResourceName("pods", "")),
                        new Selection(Optional.of("app=web,tier in (b,a)"), Optional.of("shop"))));
        assertThat(WatchedResource.parse("*")).isEqualTo(new WatchedResource(Optional.empty(), Selection.ALL));
    }

    @Test
    void givenAListOnOneLine_whenRead_thenCommasInParenthesesDoNotSplitIt() {
        assertThat(WatchedResource.ENTRIES.read("pods -l tier in (a,b), services,* -n shop"))
                .isEqualTo(List.of("pods -l tier in (a,b)", "services", "* -n shop"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app = web, !old|!old,app=web",
                "b,a|a,b",
                "example.com/tier  notin ( x ,y )|example.com/tier notin (x,y)",
                "a!=b|a!=b"
            })
    void givenSelectorsThatMeanTheSame_whenNormalized_thenTheyAreEqual(String written, String normalized) {
        assertThat(LabelSelector.normalized(written)).isEqualTo(normalized);
        assertThat(LabelSelector.normalized(normalized)).isEqualTo(normalized);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apps/deployments",
                "pods -x y",
                "pods -n",
                "pods -n a -n b",
                "pods -n A_b",
                "pods -l",
                "pods -l a=b=c",
                "pods -l tier in a,b",
                "-l app=web"
            })
    void givenWhatIsNoEntry_whenRead_thenItIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> WatchedResource.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "pods", "deployments.apps -n shop", "* -l app=web -l tier in (a,b)"})
    void givenEntry_whenShown_thenItReadsTheSame(String text) {
        assertThat(WatchedResource.parse(text)).hasToString(text);
    }
}
