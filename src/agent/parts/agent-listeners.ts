import type { AgentEvent, AgentEventBody, AgentListener } from "./agent-events.ts";

/** Who hears of an agent. */
export interface AgentListeners {
  readonly add: (listener: AgentListener) => () => void;
  /** Tells everyone, in the order they came. Never throws. */
  readonly tell: (event: AgentEventBody) => void;
}

export function createAgentListeners(about: Pick<AgentEvent, "session" | "agentId">): AgentListeners {
  // A new list at each change: one that is being told an event is never changed under its feet.
  let listeners: readonly AgentListener[] = [];
  return {
    add(listener) {
      const own: AgentListener = (event) => listener(event);
      listeners = [...listeners, own];
      return () => {
        listeners = listeners.filter((other) => other !== own);
      };
    },
    tell(event) {
      for (const listener of listeners) {
        try {
          listener({ ...about, ...event });
        } catch {
          // What a listener throws is its own affair.
        }
      }
    },
  };
}
