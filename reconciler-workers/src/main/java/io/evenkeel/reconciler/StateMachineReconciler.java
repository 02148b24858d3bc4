package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A reconciler as a table of states. The state lies in the object's status. Each run takes edges until no guard holds any
 * more; only a change of state has effects, all of them in {@link #transitionTo}, so repeating the final state does nothing.
 * After a crash the transitions since the last written status are repeated: each must be idempotent.
 *
 * @param <T> Java class of the primary
 * @param <S> its states
 */
public abstract class StateMachineReconciler<T extends HasMetadata, S extends Enum<S>> implements Reconciler<T> {
    private final StateMachine<T, S> machine;

    /** @param machine the table */
    protected StateMachineReconciler(StateMachine<T, S> machine) {
        this.machine = machine;
    }

    /** The state as the status has it; empty if it has none yet. */
    protected abstract Optional<S> stateOf(T primary);

    /**
     * Does what a change of state takes, and nothing else does. Must be idempotent.
     *
     * @throws Exception leads to the error state, if the table has one
     */
    protected abstract void transitionTo(S next, T primary, Context<T> context) throws Exception;

    /**
     * The status that tells of a state; written only if it differs.
     *
     * @param error what went wrong, in the error state
     */
    protected abstract Object status(S state, Optional<String> error, T primary, Context<T> context);

    @Override
    public final Outcome reconcile(T primary, Context<T> context) throws Exception {
        S state = stateOf(primary).orElse(machine.initial());
        try {
            state = settle(state, primary, context);
        } catch (WriteRefusedException | InterruptedException e) {
            throw e; // the engine's affair, no state of the object's
        } catch (Exception e) {
            return failed(e, primary, context);
        }
        Object status = status(state, Optional.empty(), primary, context);
        Outcome outcome = machine.isSettled(state) ? Outcome.done() : Outcome.waiting(state.name());
        return machine.error().filter(state::equals).isPresent()
                ? Outcome.requeueAfter(machine.errorRequeue(), state.name())
                : outcome.withStatus(status);
    }

    private S settle(S from, T primary, Context<T> context) throws Exception {
        S state = from;
        Optional<S> next = machine.next(state, primary, context);
        for (int taken = 0; next.isPresent(); taken++) {
            if (taken > machine.size()) {
                throw new IllegalStateException("the state machine goes round in circles at " + state);
            }
            state = next.get();
            transitionTo(state, primary, context);
            next = machine.next(state, primary, context);
        }
        return state;
    }

    private Outcome failed(Exception error, T primary, Context<T> context) throws Exception {
        // What says nothing about the object leaves it in its state: the engine waits for the API server.
        boolean counts = ErrorClassifier.standard()
                .classify(error)
                .orElse(ErrorClass.TRANSIENT)
                .counts();
        if (machine.error().isEmpty() || !counts) {
            throw error;
        }
        String message =
                Optional.ofNullable(error.getMessage()).orElse(error.getClass().getSimpleName());
        return Outcome.requeueAfter(machine.errorRequeue(), message)
                .withStatus(status(machine.error().get(), Optional.of(message), primary, context));
    }
}
