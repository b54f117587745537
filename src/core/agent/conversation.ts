import { createKey, type Key } from "../context.ts";

/** One message as text; attachments are replaced by a label in brackets. */
export interface Said {
  /** Who said it; `tool` are answers to calls. */
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
}

/** A named part of the system prompt. */
export interface InstructionPart {
  readonly name: string;
  readonly text: string;
}

/** The session of an agent, as its own tools may read and change it. Supplied by the agent. */
export interface Conversation {
  /** Returns all messages, masked. */
  messages(): readonly Said[];
  /** Returns the goals of the session. */
  goals(): readonly string[];
  /** Returns the decisions made so far. */
  decisions(): readonly string[];
  /**
   * Replaces the parts that were set before; the agent's own instructions stay. Without `keepsHistory` the messages are
   * dropped, except the running turn. Atomic.
   */
  replaceInstructions(
    parts: readonly InstructionPart[],
    options: { readonly keepsHistory: boolean },
  ): void | Promise<void>;
}

/** Present only if an agent runs the call. */
export const ConversationKey: Key<Conversation> = createKey("Conversation");
