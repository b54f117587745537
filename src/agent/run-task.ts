import type { Fault } from "../core/result.ts";
import type { AgentState } from "../core/agent/team.ts";
import { copyJson } from "../util/json/copy-json.ts";
import { toFault } from "../util/json/fault.ts";
import type { AgentParts } from "./parts/agent-parts.ts";
import { settleOpenCalls } from "./open-agent.ts";
import type { Outcome } from "./parts/running-agent.ts";
import { takeSent } from "./loop/take-in.ts";
import { takeTurns } from "./loop/take-turns.ts";
import type { Task } from "./parts/task.ts";

/** Brings a task to its outcome. Never rejects. */
export async function runTask(agent: AgentParts, task: Task): Promise<Outcome> {
  const outcome = await attempt(agent, task);
  task.course.isOpen = false;
  task.stopwatch.stop();
  agent.ledger.addTime(task.stopwatch.elapsedMs());
  if (outcome.kind === "failed")
    agent.tell({ type: "agent.failed", code: outcome.fault.code, fault: outcome.fault });
  await leave(agent, task, outcome);
  return outcome;
}

async function attempt(agent: AgentParts, task: Task): Promise<Outcome> {
  try {
    await settleOpenCalls(agent);
    return await takeTurns(agent, task);
  } catch (error) {
    // What goes wrong because it was ended is no failure.
    return task.stopped() ?? { kind: "failed", fault: masked(agent, toFault(error)) };
  }
}

/** Each step is done whatever becomes of the others: where the store itself is what failed, the outcome was decided before. */
async function leave(agent: AgentParts, task: Task, outcome: Outcome): Promise<void> {
  await agent.doBetweenTurns(task);
  await keepUnread(agent, task).catch(() => undefined);
  await agent.states.enter(STATES[outcome.kind], reasonOf(outcome)).catch(() => undefined);
}

/** What was sent and not read stays for the next task. */
async function keepUnread(agent: AgentParts, task: Task): Promise<void> {
  // Answers that could not be kept stand before whatever is said next: no provider takes them after it.
  await settleOpenCalls(agent);
  await takeSent(agent, task);
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

function masked({ options }: AgentParts, fault: Fault): Fault {
  return copyJson(fault, undefined, options.engine.masker.text) as unknown as Fault;
}
