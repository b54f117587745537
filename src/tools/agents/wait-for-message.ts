import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import { integer, list, object, optional, string } from "../../schema/define/schema.ts";
import { AgentControlKey, TeamKey, type TeamMessage } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { renderMessage } from "./message.ts";

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 3600;
/** The call returns at its time limit; the engine's deadline comes after that. */
const MARGIN_MS = 5000;
const MAX_BYTES = 100 * 1024;

const input = object({
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
    input,
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
          ...(from !== undefined && { from }),
          signal: context.signal,
        });
        return answer(messages, { seconds, waitedMs: performance.now() - startedAt });
      } finally {
        stopWaiting?.();
      }
    },
  });
}

function answer(
  messages: readonly TeamMessage[],
  { seconds, waitedMs }: { readonly seconds: number; readonly waitedMs: number },
): Reply {
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
