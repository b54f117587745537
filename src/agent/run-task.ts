import type { Fault } from "../core/result.ts";
import type { AgentState } from "../core/agent/team.ts";
import { copyJson } from "../util/json/copy-json.ts";
import { toFault } from "../util/json/fault.ts";
import { receiveSent } from "./loop/receive-messages.ts";
import { takeTurns } from "./loop/take-turns.ts";
import { settleOpenCalls } from "./open-agent.ts";
import type { AgentRuntime } from "./runtime/agent-runtime.ts";
import type { Outcome } from "./runtime/running-agent.ts";
import type { Task } from "./runtime/task.ts";

/** Runs a task to its outcome. Never rejects. */
export async function runTask(agent: AgentRuntime, task: Task): Promise<Outcome> {
  const outcome = await attempt(agent, task);
  task.progress.isOpen = false;
  task.stopwatch.stop();
  agent.ledger.addTime(task.stopwatch.elapsedMs());
  if (outcome.kind === "failed")
    agent.emit({ type: "agent.failed", code: outcome.fault.code, fault: outcome.fault });
  await leave(agent, task, outcome);
  await agent.options.team?.taskEnded(outcome);
  return outcome;
}

async function attempt(agent: AgentRuntime, task: Task): Promise<Outcome> {
  try {
    await settleOpenCalls(agent);
    return await takeTurns(agent, task);
  } catch (error) {
    // An error after a stop is caused by the stop.
    return task.stopped() ?? { kind: "failed", fault: masked(agent, toFault(error)) };
  }
}

/** Runs every step even if another fails: the outcome does not depend on them. */
async function leave(agent: AgentRuntime, task: Task, outcome: Outcome): Promise<void> {
  await agent.runBetweenTurns(task);
  await storeUnread(agent, task).catch(() => undefined);
  await agent.states.enter(STATES[outcome.kind], reasonOf(outcome)).catch(() => undefined);
}

/** Adds unread messages to the conversation for the next task. */
async function storeUnread(agent: AgentRuntime, task: Task): Promise<void> {
  // Missing results go first: providers reject a result that does not directly follow its call.
  await settleOpenCalls(agent);
  await receiveSent(agent, task);
}

const STATES: Readonly<Record<Outcome["kind"], AgentState>> = {
  answered: "done",
  stopped: "idle",
  failed: "failed",
};

function reasonOf(outcome: Outcome): string | undefined {
  if (outcome.kind === "failed") return outcome.fault.message;
  return outcome.kind === "stopped" ? outcome.detail : undefined;
}

function masked({ options }: AgentRuntime, fault: Fault): Fault {
  return copyJson(fault, undefined, options.engine.masker.text) as unknown as Fault;
}
