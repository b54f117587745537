import type { Key } from "../context.ts";
import { createKey } from "../context.ts";

/** One message as a reader would see it; what is not text is named in brackets. */
export interface Said {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
}

/** A named part of what the model is told before everything else. */
export interface InstructionPart {
  readonly name: string;
  readonly text: string;
}

/** The session of an agent as its own tools may see and change it. Supplied by the agent that holds the messages. */
export interface Conversation {
  /** From the first to the last, with everything in them masked. */
  messages(): readonly Said[];
  /** What the session is working on. */
  goals(): readonly string[];
  /** What was decided on the way. */
  decisions(): readonly string[];
  /**
   * Puts these parts in place of those that were put there before; what the agent itself was told stays. Without
   * `keepsHistory` the messages are forgotten, but for the turn that is running. All or nothing.
   */
  replaceInstructions(
    parts: readonly InstructionPart[],
    options: { readonly keepsHistory: boolean },
  ): void | Promise<void>;
}

/** There only where an agent runs the call. */
export const ConversationKey: Key<Conversation> = createKey("Conversation");
