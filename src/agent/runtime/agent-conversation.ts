import type { Conversation, Said } from "../../core/agent/conversation.ts";
import type { Message } from "../../core/agent/message.ts";
import { describeGoals, type Decision } from "../../tools/memory/goals/goals.ts";
import { contentText } from "../../util/text/content-text.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { maskMessage } from "./messages.ts";

/** Exposes an agent's session to its own tools; text is masked. */
export function agentConversation({
  options,
  session,
  goals,
}: Pick<AgentRuntime, "options" | "session" | "goals">): Conversation {
  const { masker } = options.engine;
  return {
    messages: () =>
      session.messages().map(({ seq, message }) => toSaid(maskMessage(message, masker.text), seq === 0)),
    goals: () => describeGoals(goals.book().goals.filter(({ status }) => status !== "completed")),
    decisions: () => goals.book().decisions.map(describeDecision),
    replaceInstructions: (parts, { keepsHistory }) =>
      session.replace({ kind: "instructions", parts, keepsHistory }),
  };
}

function toSaid(message: Message, isSummary: boolean): Said {
  if (message.role === "user")
    return { role: isSummary ? "system" : "user", text: contentText(message.content) };
  if (message.role === "tool") {
    const answers = message.results.map(({ name, content }) => `[${name}]\n${contentText(content)}`);
    return { role: "tool", text: answers.join("\n") };
  }
  const pieces = message.parts.flatMap((part) => {
    if (part.type === "reasoning") return [];
    return part.type === "text"
      ? [part.text]
      : [`[call ${part.call.name} ${JSON.stringify(part.call.input)}]`];
  });
  return { role: "assistant", text: pieces.join("\n") };
}

function describeDecision({ description, rationale }: Decision): string {
  return `${description}\n${rationale}`;
}
