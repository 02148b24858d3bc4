package io.evenkeel.sandbox.real;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.process.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of one running control plane, in the order in which they were started. Not thread-safe. */
final class ControlPlane {
    /** Nothing is lost by killing: what the API server has acknowledged, etcd has handed to the operating system. */
    private static final Duration GRACE = Duration.ofMillis(700);

    private final KubeBinaries binaries;
    private final Path folder;
    private final Deque<ChildProcess> newestFirst = new ArrayDeque<>();
    private String etcd = "";

    ControlPlane(KubeBinaries binaries, Path folder) {
        this.binaries = binaries;
        this.folder = folder;
    }

    /** @return where clients of etcd connect to */
    String startEtcd() {
        String clientUrl = "http://127.0.0.1:" + LoopbackPorts.free();
        String peerUrl = "http://127.0.0.1:" + LoopbackPorts.free();
        start(
                "etcd",
                List.of(
                        "--data-dir=" + folder.resolve("etcd"),
                        "--unsafe-no-fsync", // outlives this process and a kill, not a power cut
                        "--log-level=error",
                        "--listen-client-urls=" + clientUrl,
                        "--advertise-client-urls=" + clientUrl,
                        "--listen-peer-urls=" + peerUrl,
                        "--initial-advertise-peer-urls=" + peerUrl,
                        "--initial-cluster=default=" + peerUrl));
        etcd = clientUrl;
        return clientUrl;
    }

    /** Lets etcd forget all revisions before the present one. */
    void compact() {
        EtcdClient.compact(etcd);
    }

    ChildProcess startApiServer(int port, String etcdUrl, KubeSecrets secrets, Path certificates, List<String> extra) {
        List<String> flags = new ArrayList<>(List.of(
                "--etcd-servers=" + etcdUrl,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                // a machine without a network has no other address, and loopback may not become an Endpoints object
                "--advertise-address=127.0.0.1",
                "--endpoint-reconciler-type=none",
                "--cert-dir=" + certificates,
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + secrets.signingKey(),
                "--service-account-signing-key-file=" + secrets.signingKey(),
                "--service-cluster-ip-range=10.96.0.0/16",
                "--token-auth-file=" + secrets.tokens(),
                "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount"));
        flags.addAll(extra);
        return start("kube-apiserver", flags);
    }

    void startControllers(Path kubeconfig, KubeSecrets secrets, Path stages) {
        start(
                "kube-controller-manager",
                List.of(
                        "--kubeconfig=" + kubeconfig,
                        "--leader-elect=false",
                        "--secure-port=0",
                        // Its default of 20 requests/s would take minutes for the pods of 200 Deployments.
                        "--kube-api-qps=500",
                        "--kube-api-burst=1000",
                        // The simulated nodes send no heartbeats: without this all pods turn unready after some
                        // minutes.
                        "--node-monitor-grace-period=24h",
                        "--controllers=*,-bootstrap-signer-controller,-token-cleaner-controller",
                        "--service-account-private-key-file=" + secrets.signingKey()));
        start(
                "kube-scheduler",
                List.of(
                        "--kubeconfig=" + kubeconfig,
                        "--leader-elect=false",
                        "--secure-port=0",
                        "--kube-api-qps=500",
                        "--kube-api-burst=1000"));
        start(
                "kwok",
                List.of(
                        "--kubeconfig=" + kubeconfig,
                        "--manage-all-nodes=true",
                        "--config=" + stages,
                        "--server-address=127.0.0.1:" + LoopbackPorts.free()));
    }

    private ChildProcess start(String name, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(binaries.program(name).toString()));
        command.addAll(flags);
        ChildProcess process = ChildProcess.start(command, Map.of(), folder.resolve(name + ".log"));
        newestFirst.push(process);
        return process;
    }

    /** The first process that ended by itself, if any did. */
    Optional<ChildProcess> fallen() {
        return newestFirst.stream().filter(process -> !process.isAlive()).findFirst();
    }

    List<Long> processIds() {
        return newestFirst.stream().map(ChildProcess::pid).toList();
    }

    /** As a machine that dies; what was acknowledged stays. */
    void kill() {
        newestFirst.forEach(ChildProcess::kill);
        stop();
    }

    /** In reverse order: the API server would hang for a minute on an etcd that is gone. */
    void stop() {
        while (!newestFirst.isEmpty()) {
            newestFirst.pop().stop(GRACE);
        }
    }
}
