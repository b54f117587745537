import type { ToolCall } from "../../core/call.ts";
import { provide } from "../../core/context.ts";
import { ConversationKey } from "../../core/agent/conversation.ts";
import type { ToolMessage } from "../../core/agent/message.ts";
import type { Failure, ToolResult } from "../../core/result.ts";
import type { AgentControl } from "../../core/agent/team.ts";
import { AgentControlKey } from "../../core/agent/team.ts";
import type { Turn } from "../../core/agent/turn.ts";
import { CurrentTurn } from "../../core/agent/turn.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import type { Task } from "../parts/task.ts";

/** Runs the first so many calls of a message, and answers the others without running them. Never rejects for what a call does. */
export async function runCalls(
  agent: AgentParts,
  task: Task,
  {
    turn,
    calls,
    limit,
  }: { readonly turn: Turn; readonly calls: readonly ToolCall[]; readonly limit: number },
): Promise<ToolMessage> {
  await agent.states.enter("executing_tools");
  // What the calls of the turns before have changed.
  await agent.goals.read();
  const running = calls.slice(0, limit);
  const results = running.length === 0 ? [] : await run(agent, task, turn, running);
  task.meter.spend({ calls: running.length });
  agent.ledger.addCalls(calls.length);
  return { role: "tool", results: [...results, ...calls.slice(running.length).map(notRun)] };
}

function run(
  agent: AgentParts,
  task: Task,
  turn: Turn,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const { engine, identity, ceilings, context = [] } = agent.options;
  return engine.runAll(calls, {
    session: agent.session.id,
    agent: identity,
    signal: task.signal,
    ...(ceilings === undefined ? {} : { ceilings }),
    context: [
      ...context,
      provide(CurrentTurn, turn),
      provide(ConversationKey, agent.conversation),
      provide(AgentControlKey, controlOf(agent, task)),
    ],
  });
}

function controlOf({ states }: AgentParts, { course }: Task): AgentControl {
  return {
    waitsForMessage() {
      course.hasWaited = true;
      return states.waits();
    },
    finish() {
      course.isFinished = true;
    },
  };
}

/** The answer to a call that the budget no longer covers. */
function notRun({ id, name }: ToolCall): Failure {
  const message = `"${name}" was not run: the budget of the task is spent`;
  const hint = "call it again if it is still wanted when the task goes on";
  return {
    callId: id,
    name,
    ok: false,
    content: [{ type: "text", text: `Error: ${message}\n${hint}` }],
    error: { code: "DENIED", message, hint },
    meta: { startedAt: Date.now(), durationMs: 0, place: "host", attempts: 0, source: "agent" },
  };
}
