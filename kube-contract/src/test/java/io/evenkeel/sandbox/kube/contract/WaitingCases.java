package io.evenkeel.sandbox.kube.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Starts all cases marked with {@link Waits} together, each in a thread of its own, when the first case of a class
 * begins; when their turn comes, after all others, their results are awaited. A thread pool of JUnit's could not do that:
 * each waiting case would hold one of the few threads that all classes of the build share.
 */
final class WaitingCases implements BeforeEachCallback, AfterAllCallback, InvocationInterceptor {
    private final Map<Method, Future<@Nullable Object>> results = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** After {@code @BeforeAll} of the class, which the cases need. */
    @Override
    public void beforeEach(ExtensionContext context) {
        Object instance = context.getRequiredTestInstance();
        for (Method method : cases(context.getRequiredTestClass())) {
            results.computeIfAbsent(method, started -> threads.submit(() -> started.invoke(instance)));
        }
    }

    private static List<Method> cases(Class<?> testClass) {
        return Arrays.stream(testClass.getMethods())
                .filter(method -> method.isAnnotationPresent(Waits.class))
                .toList();
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext context)
            throws Throwable {
        Future<@Nullable Object> result = results.get(invocationContext.getExecutable());
        if (result == null) {
            invocation.proceed();
            return;
        }
        invocation.skip();
        try {
            result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof InvocationTargetException failed ? failed.getTargetException() : e;
        }
    }

    /** Whoever ran single cases need not wait for those that he did not choose. */
    @Override
    public void afterAll(ExtensionContext context) {
        threads.shutdownNow();
    }

    /** Puts the cases that wait behind all others, which need their time anyway. */
    static final class Last implements MethodOrderer {
        @Override
        public void orderMethods(MethodOrdererContext context) {
            context.getMethodDescriptors()
                    .sort(Comparator.comparing(descriptor -> descriptor.isAnnotated(Waits.class)));
        }
    }
}
