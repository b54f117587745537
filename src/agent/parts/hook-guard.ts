import type { Sender, UserMessage } from "../../core/agent/message.ts";

/** Lets messages of hooks through for as long as they lead somewhere. */
export interface HookGuard {
  /** Why a message must not be given to the model; undefined where it may, as every message may that is no hook's. */
  refuses(message: UserMessage): "itself" | "many" | undefined;
  /** The hooks that were refused, for the model. */
  refused(): readonly string[];
}

const MAX_MESSAGES = 10;

/**
 * Guards one task. A hook that comes again with the same after its message was given has set itself off, for what the agent did
 * about it; it is not given a second time. Of all hooks together ten messages are given.
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
