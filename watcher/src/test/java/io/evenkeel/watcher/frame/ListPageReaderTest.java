package io.evenkeel.watcher.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListPageReaderTest {
    private static final String ITEM = "{\"a\":\"quote \\\" brace } bracket ] backslash \\\\\",\"b\":[{\"c\":[]}]}";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 50, 10_000})
    void givenMetadataBeforeItems_whenRead_thenAllIsFound(int size) throws Exception {
        var items = new ArrayList<String>();
        ListPage page = read(
                "{\"kind\":\"L\",\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"tok\"},\"items\":[" + ITEM
                        + ", " + ITEM + "]}",
                size,
                items);
        assertThat(page).isEqualTo(new ListPage("5", "tok", 2));
        assertThat(items).containsExactly(ITEM, ITEM);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 50, 10_000})
    void givenMetadataBehindItems_whenRead_thenAllIsFound(int size) throws Exception {
        var items = new ArrayList<String>();
        ListPage page = read(
                "{\"items\" : [" + ITEM + "],\n\"metadata\":{\"resourceVersion\":\"5\"}, \"n\": 12 }", size, items);
        assertThat(page).isEqualTo(new ListPage("5", "", 1));
        assertThat(items).containsExactly(ITEM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "[ ]"})
    void givenNoItems_whenRead_thenThePageIsEmpty(String none) throws Exception {
        var items = new ArrayList<String>();
        assertThat(read("{\"items\":" + none + ",\"metadata\":{\"resourceVersion\":\"5\"}}", 4, items))
                .isEqualTo(new ListPage("5", "", 0));
    }

    @Test
    void givenCutPage_whenRead_thenItIsNoPage() {
        String whole = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" + ITEM + "," + ITEM + "]}";
        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(cut, 16, new ArrayList<>()));
        }
    }

    @Test
    void givenListWithoutVersion_whenRead_thenItIsRefused() {
        assertThatExceptionOfType(MalformedFrameException.class)
                .isThrownBy(() -> read("{\"items\":[]}", 16, new ArrayList<>()));
    }

    private static ListPage read(String body, int size, List<String> items) throws Exception {
        return new ListPageReader(new PiecesOf(body, size)).read(item -> items.add(new String(item, UTF_8)));
    }
}
