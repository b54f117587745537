import { string, object, oneOf, optional, integer, list } from "../../schema/define/schema.ts";
import {
  type TeamMessage,
  MESSAGE_TYPES,
  PRIORITIES,
  TeamKey,
  AgentControlKey,
} from "../../core/agent/team.ts";
import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";

/** Returns the schema of a task, a message or a result. */
export const longText = (description: string) => string(description, { min: 1, max: 20_000 });

/** Renders a message for the receiving agent: type, sender and text. */
export function renderMessage({ from, type, priority, text }: TeamMessage): string {
  const urgency = priority === "normal" ? "" : `, ${priority} priority`;
  return `[${type} from ${from.name} (${from.id})${urgency}]\n${text}`;
}

const sendInput = object({
  target_agent_id: string("The receiver; view_agent_graph lists the ids", { min: 1 }),
  message: longText("The text of the message"),
  message_type: optional(oneOf(MESSAGE_TYPES, "A question, an instruction, or information"), "information"),
  priority: optional(oneOf(PRIORITIES, "The most urgent are read first"), "normal"),
});

/** Sends a message to another agent of the team. */
export function sendMessageToAgent(): Tool {
  return builtIn({
    name: "send_message_to_agent",
    description:
      "Sends a message to another agent of the team. It reads it before its next step; an idle agent starts to work " +
      "again. An answer arrives as a message.",
    input: sendInput,
    ...AGENTS,
    needs: [TeamKey, CurrentAgent],
    attributes: ({ target_agent_id: to, message_type: type, priority }) => ({ to, type, priority }),
    async run({ target_agent_id: to, message: text, message_type: type, priority }, context) {
      const from = context.get(CurrentAgent);
      const { id } = await context.get(TeamKey).send({ from, to, type, priority, text });
      return new Reply(`${id} was sent to ${to}`, { data: { message_id: id, target_agent_id: to } });
    },
  });
}

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 3600;
/** The call returns at its time limit; the engine's deadline comes after that. */
const MARGIN_MS = 5000;
const MAX_BYTES = 100 * 1024;

const waitInput = object({
  timeout_seconds: optional(integer("Time limit in seconds", { min: 1, max: MAX_SECONDS }), DEFAULT_SECONDS),
  from_agents: optional(
    list(string("An agent's id", { min: 1 }), "Waits only for messages of these agents", { min: 1 }),
  ),
});

/** Waits for messages of other agents. Returns at once if messages are waiting. */
export function waitForMessage(): Tool {
  return builtIn({
    name: "wait_for_message",
    description:
      "Waits for messages of other agents, including results of agents that you created, and returns them, the most urgent " +
      `first. Returns without messages after timeout_seconds (default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}). ` +
      "Messages also arrive by themselves before your next step: wait only if you have nothing else to do.",
    input: waitInput,
    ...AGENTS,
    limits: { maxBytes: MAX_BYTES },
    limitsOf({ timeout_seconds }) {
      const timeoutMs = timeout_seconds * 1000 + MARGIN_MS;
      return { timeoutMs, idleTimeoutMs: timeoutMs };
    },
    needs: [TeamKey, CurrentAgent],
    attributes: ({ timeout_seconds, from_agents = [] }) => ({
      timeout_seconds,
      from_agents: from_agents.join(" "),
    }),
    async run({ timeout_seconds: seconds, from_agents: from }, context) {
      const startedAt = performance.now();
      const stopWaiting = context.find(AgentControlKey)?.waitsForMessage();
      try {
        const messages = await context.get(TeamKey).wait({
          by: context.get(CurrentAgent),
          timeoutMs: seconds * 1000,
          ...defined({ from }),
          signal: context.signal,
        });
        return answer(messages, seconds, performance.now() - startedAt);
      } finally {
        stopWaiting?.();
      }
    },
  });
}

function answer(messages: readonly TeamMessage[], seconds: number, waitedMs: number): Reply {
  const data = messages.map(({ id, from, type, priority, text, at }) => ({
    message_id: id,
    from: { agent_id: from.id, name: from.name },
    message_type: type,
    priority,
    text,
    at,
  }));
  if (messages.length === 0) {
    const isOver = waitedMs >= seconds * 1000;
    const text = isOver
      ? `timed out: no message within ${seconds} s`
      : "No message: the wait was ended because the user wrote to you.";
    return new Reply(text, { data: { messages: [], timed_out: isOver } });
  }
  return new Reply(messages.map(renderMessage).join("\n\n"), { data: { messages: data, timed_out: false } });
}
