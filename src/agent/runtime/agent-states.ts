import type { AgentState } from "../../core/agent/team.ts";

/** The states of an agent that has no open task. */
export const AT_REST: ReadonlySet<AgentState> = new Set(["idle", "done", "failed"]);

/** Tracks the state of an agent. */
export type AgentStates = ReturnType<typeof createAgentStates>;

/**
 * Derives the state: an open question takes precedence over a waiting call, and both over the agent's own state. `changed` is called
 * at each change and settles when it is stored.
 */
export function createAgentStates(
  first: AgentState,
  changed: (state: AgentState, reason: string | undefined) => Promise<void>,
) {
  const questions = new Set<string>();
  const waits = new Set<symbol>();
  let own = first;
  let current = first;
  const update = (reason?: string): Promise<void> => {
    const next = questions.size > 0 ? "waiting_for_approval" : waits.size > 0 ? "waiting_for_message" : own;
    if (next === current) return Promise.resolve();
    current = next;
    return changed(next, reason);
  };
  // A state that cannot be stored here fails again at the next `enter`, which is awaited.
  const updateLater = (): void => void update().catch(() => undefined);
  return {
    get current(): AgentState {
      return current;
    },
    /** Sets the agent's own state. Settles when it is stored. */
    enter(state: AgentState, reason?: string): Promise<void> {
      own = state;
      questions.clear();
      waits.clear();
      return update(reason);
    },
    /** A question waits for a person; several may be open at once. */
    questionAsked(id: string): void {
      questions.add(id);
      updateLater();
    },
    questionAnswered(id: string): void {
      questions.delete(id);
      updateLater();
    },
    /** A call waits for a message until the returned function is called. */
    waitForMessage(): () => void {
      const wait = Symbol("wait");
      waits.add(wait);
      updateLater();
      return () => {
        waits.delete(wait);
        updateLater();
      };
    },
  };
}
