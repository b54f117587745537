import type { Conversation, InstructionPart, Said } from "../../../src/core/agent/conversation.ts";

/** A conversation that remembers what was done to it. */
export interface TestConversation extends Conversation {
  readonly said: Said[];
  instructions: readonly InstructionPart[];
  /** Set: the next change fails. */
  isBroken: boolean;
}

export function testConversation(said: Said[] = []): TestConversation {
  const conversation: TestConversation = {
    said,
    instructions: [],
    isBroken: false,
    messages: () => said,
    goals: () => ["ship it"],
    decisions: () => ["use SQLite\nbecause it is there"],
    replaceInstructions(parts, { keepsHistory }) {
      if (conversation.isBroken) throw new Error("the session is closed");
      conversation.instructions = parts;
      if (!keepsHistory) said.length = 0;
    },
  };
  return conversation;
}
