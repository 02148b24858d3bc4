package io.evenkeel.watcher.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RedactionRuleTest {
    @ParameterizedTest
    @CsvSource({
        "configmaps,'',configmaps,true",
        "configmaps,'',secrets,false",
        "configmaps,example.com,configmaps,false",
        "widgets.example.com,example.com,widgets,true",
        "widgets.example.com,sub.example.com,widgets,false",
        "*.example.com,example.com,widgets,true",
        "*.example.com,sub.example.com,gadgets,true",
        "*.example.com,other-example.com,widgets,false",
        "*.example.com,'',widgets,false",
        "*,'',pods,true",
        "*,apps,deployments,true"
    })
    void aRuleConcernsTheResourcesThatItNames(String resources, String group, String plural, boolean concerned) {
        assertThat(RedactionRule.parse(resources + ": .spec.token").concerns(group, plural))
                .isEqualTo(concerned);
    }

    @Test
    void givenQuotedNamesAndWildcards_whenParsed_thenTheStepsAreThere() {
        assertThat(RedactionRule.parse(" pods :.metadata.annotations['example.com/a b'][*].* ")
                        .path()
                        .steps())
                .containsExactly(
                        new RedactionPath.Member("metadata"),
                        new RedactionPath.Member("annotations"),
                        new RedactionPath.Member("example.com/a b"),
                        new RedactionPath.Each(),
                        new RedactionPath.Each());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "configmaps .data            | 'configmaps .data' has no colon; write <resources>: <path>",
                "Deployments: .spec          | names the resources 'Deployments'; write <plural>.<group>",
                "*example.com: .spec         | names the resources '*example.com'",
                "pods/status: .spec          | names the resources 'pods/status'",
                ": .spec                     | names the resources ''",
                "configmaps:                 | the path '' is empty",
                "configmaps: data.x          | the path 'data.x' is malformed at character 1: a step begins with",
                "configmaps: .data.          | the path '.data.' is malformed at character 7: a name is missing",
                "configmaps: .data..x        | is malformed at character 7: a name is missing",
                "configmaps: .data[0]        | is malformed at character 6: a step begins with",
                "configmaps: .data['x]       | is malformed at character 6: [' is not closed by ']",
                "configmaps: .data['']       | is malformed at character 6: a name is missing",
                "configmaps: .data.a b       | is malformed at character 8: a step begins with",
                "configmaps: .data.a*        | is malformed at character 8: a step begins with",
                "configmaps: .*.token        | has a wildcard at its root",
                "configmaps: .kind           | would replace what names an object",
                "configmaps: .metadata       | would replace what names an object",
                "configmaps: .metadata.uid   | would replace what names an object",
                "configmaps: .metadata.*     | would replace what names an object",
                "configmaps: .metadata.*.x   | would replace what names an object",
                "configmaps: .metadata.annotations | would replace what names an object"
            })
    void givenMalformedRule_whenParsed_thenTheMessageSaysWhatAndWhere(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedactionRule.parse(text))
                .withMessageContaining(message);
    }
}
