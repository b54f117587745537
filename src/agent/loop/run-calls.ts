import type { ToolCall } from "../../core/call.ts";
import { provide } from "../../core/context.ts";
import { ConversationKey } from "../../core/agent/conversation.ts";
import type { ToolMessage } from "../../core/agent/message.ts";
import type { Failure, ToolResult } from "../../core/result.ts";
import { AgentControlKey, type AgentControl } from "../../core/agent/team.ts";
import { CurrentTurn, type Turn } from "../../core/agent/turn.ts";
import type { CallUsage } from "../../core/store/journal.ts";
import type { Task } from "../runtime/agent-runtime.ts";
import { turnCeilings } from "./build-request.ts";

/** Runs the first `limit` calls of a message and answers the others without running them. Never rejects because of a call. */
export async function runCalls(
  task: Task,
  turn: Turn,
  { calls, usage }: { readonly calls: readonly ToolCall[]; readonly usage: CallUsage },
  limit: number,
): Promise<ToolMessage> {
  const { agent } = task;
  await agent.states.enter("executing_tools");
  // Calls of earlier turns may have changed them.
  await agent.goals.read();
  const running = calls.slice(0, limit);
  const results = running.length === 0 ? [] : await run(task, { turn, usage }, running);
  task.meter.spend({ calls: running.length });
  agent.ledger.addCalls(calls.length);
  return { role: "tool", results: [...results, ...calls.slice(running.length).map(notRun)] };
}

function run(
  task: Task,
  { turn, usage }: { readonly turn: Turn; readonly usage: CallUsage },
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const { agent } = task;
  const { engine, identity, context = [] } = agent.options;
  const ceilings = turnCeilings(task);
  return engine.runAll(calls, {
    session: agent.session.id,
    agent: identity,
    signal: task.signal,
    usage,
    ...(ceilings.length > 0 && { ceilings }),
    context: [
      ...context,
      provide(CurrentTurn, turn),
      provide(ConversationKey, agent.conversation),
      provide(AgentControlKey, controlOf(task)),
    ],
  });
}

function controlOf({ agent: { states }, progress }: Task): AgentControl {
  return {
    waitsForMessage() {
      progress.hasWaited = true;
      return states.waitForMessage();
    },
    finish() {
      progress.isFinished = true;
    },
  };
}

/** The answer to a call that the budget no longer covers. */
function notRun({ id, name }: ToolCall): Failure {
  const message = `"${name}" was not run: the budget of the task is spent`;
  const hint = "call it again if it is still needed when the task continues";
  return {
    callId: id,
    name,
    ok: false,
    content: [{ type: "text", text: `Error: ${message}\n${hint}` }],
    error: { code: "DENIED", message, hint },
    meta: { startedAt: Date.now(), durationMs: 0, place: "host", attempts: 0, source: "agent" },
  };
}
