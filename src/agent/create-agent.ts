import { ToolError } from "../core/errors.ts";
import type { Listener } from "../core/events.ts";
import { defined } from "../util/json/defined.ts";
import { compactSession } from "./loop/compact-session.ts";
import { checkPrice, openAgent } from "./open-agent.ts";
import { createAgentListeners } from "./runtime/agent-events.ts";
import type { AgentRuntime } from "./runtime/agent-runtime.ts";
import { createBetweenTurns, type BetweenTurns } from "./runtime/between-turns.ts";
import type { AgentOptions, RunningAgent } from "./runtime/running-agent.ts";
import { createTask, type Task } from "./runtime/task.ts";
import { cancelled, createTasks, type Tasks } from "./tasks.ts";

/** Creates an agent on a new or a stored session. In a stored session every call has a result afterwards. */
export async function createAgent(options: AgentOptions): Promise<RunningAgent> {
  const { engine, identity, session, parentSession } = options;
  let { model } = options;
  const listeners = createAgentListeners({ session, agentId: identity.id });
  const between = createBetweenTurns();
  const agent = await openAgent(options, {
    emit: listeners.emit,
    model: () => model,
    runBetweenTurns: between.runAll,
  });
  const tasks = createTasks(agent);
  const scope = engine.session(session, defined({ parent: parentSession }));
  const stopApprovals = engine.on(onApproval(agent), ["approval.asked", "approval.answered"]);
  const stopTiming = listeners.add((event) => {
    if (event.type === "agent.state") countTime(tasks.open(), event.state === "waiting_for_approval");
  });
  const ending = new AbortController();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    tasks.stop("the agent was closed");
    ending.abort(new ToolError("CANCELLED", "the agent was closed"));
    await tasks.runAfter(() => Promise.resolve());
    await options.team?.close();
    stopApprovals();
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
      return tasks.send({ role: "user", content, ...defined({ from }) }, options);
    },
    cancel(reason = "it was cancelled") {
      const isStopped = tasks.stop(reason);
      const isTeamStopped = options.team?.cancel(reason) ?? false;
      return isStopped || isTeamStopped;
    },
    messages: () => agent.session.messages().map(({ message }) => message),
    spent: () => spentBy(agent, tasks.open()),
    use(other) {
      checkPrice(other, options.budget);
      model = other;
    },
    compact: (signal = ending.signal) =>
      compactLater(agent, { tasks, between }, AbortSignal.any([signal, ending.signal])),
    on: listeners.add,
    close: () => (closing ??= close()),
  };
}

/** Does not count the time in which the agent waits for a person. */
function countTime(task: Task | undefined, isWaiting: boolean): void {
  if (isWaiting) task?.stopwatch.pause();
  else task?.stopwatch.resume();
}

/** Tracks approvals of all calls in the agent's session, also of calls inside calls. */
function onApproval({ states, session }: AgentRuntime): Listener {
  return (event) => {
    if (event.type !== "approval.asked" && event.type !== "approval.answered") return;
    if (event.session !== session.id) return;
    if (event.type === "approval.asked") states.questionAsked(event.callId);
    else states.questionAnswered(event.callId);
  };
}

function spentBy({ ledger }: AgentRuntime, task: Task | undefined): ReturnType<RunningAgent["spent"]> {
  const spent = ledger.spent();
  return { ...spent, timeMs: spent.timeMs + (task?.stopwatch.elapsedMs() ?? 0) };
}

/** Compacts at once, or between two turns of the running task, so that no call is separated from its result. */
function compactLater(
  agent: AgentRuntime,
  { tasks, between }: { readonly tasks: Tasks; readonly between: BetweenTurns },
  signal: AbortSignal,
): Promise<boolean> {
  const work = async (task: Task): Promise<boolean> => {
    const both = AbortSignal.any([signal, task.signal]);
    both.throwIfAborted();
    return compactSession(agent, task, { signal: both });
  };
  if (tasks.open() !== undefined) return between.add(work);
  return tasks.runAfter(() => {
    const task = createTask();
    return work(task).finally(() => task.stopwatch.stop());
  });
}
