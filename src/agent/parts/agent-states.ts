import type { AgentState } from "../../core/agent/team.ts";

/** What an agent does, and what it waits for meanwhile. */
export interface AgentStates {
  readonly current: AgentState;
  /** What the agent itself does from now on. Settles when that is kept. */
  enter(state: AgentState, reason?: string): Promise<void>;
  /** Somebody thinks about a question, or nobody does any more; several may be open at once. */
  asked(question: string): void;
  answered(question: string): void;
  /** A call waits for a message until the returned function is called. */
  waits(): () => void;
}

export interface AgentStatesOptions {
  /** The state that is known already. */
  readonly first: AgentState;
  /** Called at each change; settles when the change is kept. */
  readonly changed: (state: AgentState, reason: string | undefined) => Promise<void>;
}

/** Keeps track of the state. A question that is open hides a wait, and both hide what the agent does by itself. */
export function createAgentStates({ first, changed }: AgentStatesOptions): AgentStates {
  const questions = new Set<string>();
  const waits = new Set<symbol>();
  let own = first;
  let current = first;
  const look = (reason?: string): Promise<void> => {
    const next = questions.size > 0 ? "waiting_for_approval" : waits.size > 0 ? "waiting_for_message" : own;
    if (next === current) return Promise.resolve();
    current = next;
    return changed(next, reason);
  };
  // In the tick of somebody else's event nobody can wait for what is kept: what cannot be kept is found out by the next who waits.
  const lookBeside = (): void => void look().catch(() => undefined);
  return {
    get current() {
      return current;
    },
    enter(state, reason) {
      own = state;
      // What the agent does next has nothing to do with what its calls were waiting for.
      questions.clear();
      waits.clear();
      return look(reason);
    },
    asked(question) {
      questions.add(question);
      lookBeside();
    },
    answered(question) {
      questions.delete(question);
      lookBeside();
    },
    waits() {
      const wait = Symbol("wait");
      waits.add(wait);
      lookBeside();
      return () => {
        waits.delete(wait);
        lookBeside();
      };
    },
  };
}
