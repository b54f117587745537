import type { Sender, UserMessage } from "../../core/agent/message.ts";

/** Limits the messages that hooks can send to the model in one task. */
export interface HookGuard {
  /** Returns why a hook's message must be dropped; undefined for all messages that may pass. */
  refuses(message: UserMessage): "itself" | "many" | undefined;
  /** Returns the names of the hooks that were refused. */
  refused(): readonly string[];
}

const MAX_MESSAGES = 10;

/**
 * Creates the guard of one task. A hook that sends the same message again has been triggered by the agent's reaction to the first
 * one, so the second is dropped. All hooks together may send ten messages.
 */
export function createHookGuard(): HookGuard {
  const given = new Set<string>();
  const refused = new Set<string>();
  const refuse = ({ name }: Sender, why: "itself" | "many"): typeof why => {
    refused.add(name);
    return why;
  };
  return {
    refuses({ from }) {
      if (from?.kind !== "hook") return undefined;
      if (given.has(from.id)) return refuse(from, "itself");
      if (given.size >= MAX_MESSAGES) return refuse(from, "many");
      given.add(from.id);
      return undefined;
    },
    refused: () => [...refused],
  };
}
