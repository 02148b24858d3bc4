package io.evenkeel.cli.fault;

import io.evenkeel.sandbox.fault.FaultProxy;
import java.io.PrintWriter;
import java.util.Map;

/**
 * What came of the rules, a line for each cluster and rule.
 *
 * @param proxies by cluster
 */
record CountTable(Map<String, FaultProxy> proxies) {

    void print(PrintWriter out) {
        proxies.forEach((cluster, proxy) -> proxy.counts()
                .forEach((rule, count) -> out.println("%s %s: %d requests, %d hit, happened %d times"
                        .formatted(cluster, rule, count.matched(), count.hit(), count.happened()))));
        out.flush();
    }
}
