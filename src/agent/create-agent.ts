import type { Content } from "../core/content.ts";
import { ToolError } from "../core/errors.ts";
import type { Listener } from "../core/events.ts";
import { isObject } from "../core/json.ts";
import { defined } from "../util/json/defined.ts";
import { contextUse } from "./loop/context-use.ts";
import { compactSession } from "./loop/compact-session.ts";
import { checkModel, openAgent } from "./open-agent.ts";
import { createAgentListeners, type AgentListener } from "./runtime/agent-events.ts";
import { cancelled, createTask, type AgentRuntime, type Task } from "./runtime/agent-runtime.ts";
import type { AgentOptions, RunningAgent } from "./runtime/running-agent.ts";
import { createTasks, type Tasks } from "./tasks.ts";

const CLOSED = "the agent was closed";

/** Creates an agent on a new or a stored session. In a stored session every call has a result afterwards. */
export async function createAgent(options: AgentOptions): Promise<RunningAgent> {
  const { engine, identity, session, parentSession } = options;
  let { model } = options;
  const listeners = createAgentListeners({ session, agentId: identity.id });
  const between = createBetweenTurns();
  const agent = await openAgent(options, {
    emit: (event) => listeners.emit(event),
    model: () => model,
    runBetweenTurns: (task) => between.runAll(task),
  });
  const tasks = createTasks(agent);
  const scope = engine.session(session, defined({ parent: parentSession }));
  const stopApprovals = engine.on(onApproval(agent), ["approval.asked", "approval.answered"]);
  const stopTiming = listeners.add(pauseWhileAsked(tasks));
  const ending = new AbortController();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    tasks.stop(CLOSED);
    ending.abort(new ToolError("CANCELLED", CLOSED));
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
    async send(message, { from, ...options } = {}) {
      if (closing !== undefined) return cancelled(CLOSED);
      return tasks.send({ role: "user", content: contentOf(message), ...defined({ from }) }, options);
    },
    cancel(reason = "it was cancelled") {
      const isStopped = tasks.stop(reason);
      return options.team?.cancel(reason) === true || isStopped;
    },
    takeBack: (count) => tasks.takeBack(count),
    messages: () => agent.session.messages().map(({ message }) => message),
    context: () => contextUse(agent),
    spent() {
      const spent = agent.ledger.spent();
      return { ...spent, timeMs: spent.timeMs + (tasks.open()?.stopwatch.elapsedMs() ?? 0) };
    },
    use(other) {
      checkModel(other, options.budget);
      model = other;
    },
    compact: (signal = ending.signal) =>
      compactLater(agent, { tasks, between }, AbortSignal.any([signal, ending.signal])),
    on: (listener) => listeners.add(listener),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/** Stops the clock of a task while it waits for a person. */
function pauseWhileAsked(tasks: Tasks): AgentListener {
  return (event) => {
    if (event.type !== "agent.state") return;
    tasks.open()?.stopwatch[event.state === "waiting_for_approval" ? "pause" : "resume"]();
  };
}

/** Returns a message as content. Throws for values that TypeScript would reject, before the model gets them. */
function contentOf(message: string | readonly Content[]): readonly Content[] {
  const content = typeof message === "string" ? [{ type: "text", text: message } as const] : message;
  if (Array.isArray(content) && content.every((one) => isObject(one) && typeof one["type"] === "string"))
    return content;
  throw new ToolError("INVALID_INPUT", "send: expected a text or a list of content");
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

/** Compacts at once, or between two turns of the running task, so that no call is separated from its result. */
function compactLater(
  agent: AgentRuntime,
  { tasks, between }: { readonly tasks: Tasks; readonly between: BetweenTurns },
  signal: AbortSignal,
): Promise<boolean> {
  const work = async (task: Task): Promise<boolean> => {
    const both = AbortSignal.any([signal, task.signal]);
    both.throwIfAborted();
    return compactSession(task, undefined, both);
  };
  if (tasks.open() !== undefined) return between.add(work);
  return tasks.runAfter(() => {
    const task = createTask(agent);
    return work(task).finally(() => task.stopwatch.stop());
  });
}

/** Queues work on a conversation that must not overlap with a request or a call. */
type BetweenTurns = ReturnType<typeof createBetweenTurns>;

function createBetweenTurns() {
  const waiting: ((task: Task) => Promise<unknown>)[] = [];
  return {
    /** Runs the work at the next pause of the running task, and settles with its result. */
    add: <T>(work: (task: Task) => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        waiting.push((task) => work(task).then(resolve, reject));
      }),
    /** Never rejects: errors go to the caller of `add`. */
    async runAll(task: Task): Promise<void> {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next(task);
    },
  };
}
