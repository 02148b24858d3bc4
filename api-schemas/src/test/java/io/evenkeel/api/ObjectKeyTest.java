package io.evenkeel.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectKeyTest {
    @ParameterizedTest
    @CsvSource({
        "eu-1,apps,Deployment,shop,web,eu-1/apps/Deployment/shop/web",
        "eu-1,'',ConfigMap,shop,settings,eu-1/core/ConfigMap/shop/settings",
        "eu-1,'',Namespace,'',shop,eu-1/core/Namespace/_/shop",
        "eu-1,rbac.authorization.k8s.io,ClusterRole,'',system:node/x%y,"
                + "eu-1/rbac.authorization.k8s.io/ClusterRole/_/system:node%2Fx%25y",
        "eu-1,'',ConfigMap,shop,grün,eu-1/core/ConfigMap/shop/grün"
    })
    void givenKey_whenWrittenAndRead_thenItIsTheSame(
            String cluster, String group, String kind, String namespace, String name, String text) {
        var key = new ObjectKey(cluster, group, kind, namespace, name);

        assertThat(key).hasToString(text);
        assertThat(ObjectKey.parse(text)).isEqualTo(key);
    }

    @Test
    void givenAnyNames_whenWritten_thenTwoKeysAreNeverTheSameText() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 5_000; i++) {
            var one = new ObjectKey("c", "", "Kind", name(random), "a" + name(random));
            assertThat(ObjectKey.parse(one.toString())).isEqualTo(one);
            assertThat(one.toString().chars().filter(c -> c == '/').count()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b/c/d",
                "a/b/c/d/e/f",
                "/apps/Deployment/shop/web",
                "a/apps/Deployment/shop/",
                "a/b/c/d/%4",
                "a/b/c/d/%zz"
            })
    void givenTextThatIsNoKey_whenRead_thenItIsRefused(String text) {
        assertThatThrownBy(() -> ObjectKey.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void givenPartsThatWouldBeMistaken_whenMade_thenTheyAreRefused() {
        assertThatThrownBy(() -> new ObjectKey("c", "core", "Pod", "d", "n")).hasMessageContaining("empty group");
        assertThatThrownBy(() -> new ObjectKey("c", "", "Pod", "_", "n")).hasMessageContaining("empty namespace");
        assertThatThrownBy(() -> new ObjectKey("c", "", "Pod", "d", "x".repeat(254)))
                .hasMessageContaining("253");
        assertThatThrownBy(() -> new ObjectKey("c", "", "Pod", "d", "a\nb")).hasMessageContaining("control");
    }

    @Test
    void givenControllerKey_whenWrittenAndRead_thenItIsTheSame() {
        var key = new ControllerKey("memcached-operator", new ObjectKey("eu-1", "", "Pod", "shop", "a/b"));

        assertThat(key).hasToString("memcached-operator/eu-1/core/Pod/shop/a%2Fb");
        assertThat(ControllerKey.parse(key.toString())).isEqualTo(key);
        assertThatThrownBy(() -> new ControllerKey("No Spaces", key.primary())).hasMessageContaining("No Spaces");
        assertThatThrownBy(() -> ControllerKey.parse("alone")).hasMessageContaining("alone");
    }

    @Test
    void givenShardKey_whenWrittenAndRead_thenItIsTheSame() {
        var shard = new ShardKey("eu-1", "", "pods");

        assertThat(shard).hasToString("eu-1/core/pods");
        assertThat(ShardKey.parse("eu-1/core/pods")).isEqualTo(shard);
        assertThatThrownBy(() -> ShardKey.parse("eu-1/pods")).hasMessageContaining("eu-1/pods");
    }

    private static String name(SplittableRandom random) {
        var name = new StringBuilder();
        for (int i = random.nextInt(0, 6); i > 0; i--) {
            name.append("ab/%:_2F".charAt(random.nextInt(8)));
        }
        return name.toString().equals("_") ? "" : name.toString();
    }
}
