import { ToolError } from "../core/errors.ts";
import type { Listener } from "../core/events.ts";
import { createAgentListeners } from "./parts/agent-listeners.ts";
import type { AgentParts } from "./parts/agent-parts.ts";
import type { BetweenTurns } from "./loop/between-turns.ts";
import { createBetweenTurns } from "./loop/between-turns.ts";
import { checkPrice, openAgent } from "./open-agent.ts";
import type { AgentOptions, RunningAgent } from "./parts/running-agent.ts";
import { shorten } from "./loop/shorten.ts";
import type { Task } from "./parts/task.ts";
import { createTask } from "./parts/task.ts";
import type { Tasks } from "./tasks.ts";
import { cancelled, createTasks } from "./tasks.ts";

/** Makes an agent of a session, a new one or one that is kept: every call that was ever made in it has its answer then. */
export async function createAgent(options: AgentOptions): Promise<RunningAgent> {
  const { engine, identity, session, parentSession } = options;
  let { model } = options;
  const listeners = createAgentListeners({ session, agentId: identity.id });
  const between = createBetweenTurns();
  const agent = await openAgent(options, {
    tell: listeners.tell,
    model: () => model,
    doBetweenTurns: between.doAll,
  });
  const tasks = createTasks(agent);
  const scope = engine.session(session, parentSession === undefined ? {} : { parent: parentSession });
  const stopHearing = engine.on(hearApprovals(agent), ["approval.asked", "approval.answered"]);
  const stopTiming = listeners.add((event) => {
    if (event.type === "agent.state") countTime(tasks.open(), event.state === "waiting_for_approval");
  });
  const ending = new AbortController();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    tasks.stop("the agent was closed");
    ending.abort(new ToolError("CANCELLED", "the agent was closed"));
    await tasks.inTurn(() => Promise.resolve());
    stopHearing();
    stopTiming();
    await scope.close();
    await agent.session.close();
  };

  return {
    identity,
    session,
    get state() {
      return agent.states.current;
    },
    send(message, { from, ...options } = {}) {
      if (closing !== undefined) return Promise.resolve(cancelled("the agent was closed"));
      const content = typeof message === "string" ? [{ type: "text", text: message } as const] : message;
      return tasks.send({ role: "user", content, ...(from === undefined ? {} : { from }) }, options);
    },
    cancel: (reason = "it was cancelled") => tasks.stop(reason),
    messages: () => agent.session.messages().map(({ message }) => message),
    spent: () => spentBy(agent, tasks.open()),
    use(other) {
      checkPrice(other, options.budget);
      model = other;
    },
    compact: (signal = ending.signal) =>
      compactSoon(agent, { tasks, between }, AbortSignal.any([signal, ending.signal])),
    on: listeners.add,
    close: () => (closing ??= close()),
  };
}

/** Time in which the agent waits for a person is not its own. */
function countTime(task: Task | undefined, isAsking: boolean): void {
  if (isAsking) task?.stopwatch.pause();
  else task?.stopwatch.resume();
}

/** Somebody thinks about a call of the agent's session, one of those inside a call among them. */
function hearApprovals({ states, session }: AgentParts): Listener {
  return (event) => {
    if (event.type !== "approval.asked" && event.type !== "approval.answered") return;
    if (event.session !== session.id) return;
    if (event.type === "approval.asked") states.asked(event.callId);
    else states.answered(event.callId);
  };
}

function spentBy({ ledger }: AgentParts, task: Task | undefined): ReturnType<RunningAgent["spent"]> {
  const spent = ledger.spent();
  return { ...spent, timeMs: spent.timeMs + (task?.stopwatch.elapsedMs() ?? 0) };
}

/** Now where nothing is under way, else between two turns: no call is ever parted from its answer. */
function compactSoon(
  agent: AgentParts,
  { tasks, between }: { readonly tasks: Tasks; readonly between: BetweenTurns },
  signal: AbortSignal,
): Promise<boolean> {
  const work = async (task: Task): Promise<boolean> => {
    const both = AbortSignal.any([signal, task.signal]);
    both.throwIfAborted();
    return shorten(agent, task, { signal: both });
  };
  if (tasks.open() !== undefined) return between.add(work);
  return tasks.inTurn(() => {
    const task = createTask();
    return work(task).finally(() => task.stopwatch.stop());
  });
}
