import type { UserMessage } from "../core/agent/message.ts";
import { createSerializer } from "../util/async/serialize.ts";
import { contentText } from "../util/text/content-text.ts";
import { cancelled, createTask, type AgentRuntime, type Task } from "./runtime/agent-runtime.ts";
import { maskContent } from "./runtime/messages.ts";
import type { SendOptions } from "./runtime/running-agent.ts";
import type { Outcome } from "./runtime/outcome.ts";
import type { Fault } from "../core/result.ts";
import type { AgentState } from "../core/agent/team.ts";
import { maskValue } from "../secrets/mask-json.ts";
import { toFault } from "../util/json/fault.ts";
import { receiveSent } from "./loop/receive-messages.ts";
import { takeTurns } from "./loop/take-turns.ts";
import { settleOpenCalls } from "./open-agent.ts";

/** Runs the tasks of an agent one after the other. */
export type Tasks = ReturnType<typeof createTasks>;

interface Running {
  readonly task: Task;
  readonly outcome: Promise<Outcome>;
}

export function createTasks(agent: AgentRuntime) {
  let running: Running | undefined;
  const runAfter = createSerializer();
  const open = (): Task | undefined => (running?.task.progress.isOpen === true ? running.task : undefined);
  const start = (message: UserMessage, continues: boolean): Running => {
    const { budget, team } = agent.options;
    const task = createTask(agent, continues && running !== undefined ? running.task.meter.left() : budget);
    put(task, message);
    team?.taskStarted(continues);
    return { task, outcome: runAfter(() => runTask(task)) };
  };
  const join = (busy: Running, message: UserMessage): Running => {
    put(busy.task, message);
    emitQueued(agent, message);
    return busy;
  };
  return {
    open,
    /** Runs work after all tasks that were started; later tasks wait for it. */
    runAfter,
    /** Ends the open task; false if there is none. */
    stop: (reason: string): boolean => open()?.stop(cancelled(reason)) ?? false,
    /** Removes the last unread messages of the person from the open task, and returns them. */
    takeBack(count = Infinity): readonly UserMessage["content"][] {
      const inbox = open()?.inbox ?? [];
      const own = inbox.filter(({ from }) => from === undefined).slice(-count);
      if (count > 0) inbox.splice(0, inbox.length, ...inbox.filter((message) => !own.includes(message)));
      return count > 0 ? own.map(({ content }) => content) : [];
    },
    /** Adds a message to the open task, or starts a task with it. Settles with the outcome, never rejects. */
    send(message: UserMessage, { signal, goesOn = false }: Omit<SendOptions, "from">): Promise<Outcome> {
      if (signal?.aborted === true) return Promise.resolve(cancelled(reasonOf(signal)));
      running = running?.task.progress.isOpen === true ? join(running, message) : start(message, goesOn);
      const { task, outcome } = running;
      return signal === undefined ? outcome : stoppable(task, outcome, signal);
    },
  };
}

function emitQueued({ options, emit }: AgentRuntime, { content, from }: UserMessage): void {
  if (content.length === 0) return;
  const text = contentText(maskContent(content, options.engine.masker.text));
  emit({ type: "message.queued", from, text });
}

/** A message without content only makes the agent read its incoming messages. */
function put({ inbox }: Task, message: UserMessage): void {
  if (message.content.length > 0) inbox.push(message);
}

async function stoppable(task: Task, outcome: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const stop = (): void => void task.stop(cancelled(reasonOf(signal)));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await outcome;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function reasonOf({ reason }: AbortSignal): string {
  const isOwn = reason instanceof Error && reason.name !== "AbortError" && reason.message !== "";
  return isOwn ? reason.message : "it was cancelled";
}

/** Runs a task to its outcome. Never rejects. */
async function runTask(task: Task): Promise<Outcome> {
  const { agent } = task;
  const outcome = await attempt(task);
  task.progress.isOpen = false;
  task.stopwatch.stop();
  agent.ledger.addTime(task.stopwatch.elapsedMs());
  if (outcome.kind === "failed")
    agent.emit({ type: "agent.failed", code: outcome.fault.code, fault: outcome.fault });
  await leave(task, outcome);
  await agent.options.team?.taskEnded(outcome);
  return outcome;
}

async function attempt(task: Task): Promise<Outcome> {
  try {
    await settleOpenCalls(task.agent);
    return await takeTurns(task);
  } catch (error) {
    // An error after a stop is caused by the stop.
    return task.stopped() ?? { kind: "failed", fault: masked(task.agent, toFault(error)) };
  }
}

/** Runs every step even if another fails: the outcome does not depend on them. */
async function leave(task: Task, outcome: Outcome): Promise<void> {
  const { agent } = task;
  await agent.runBetweenTurns(task);
  await storeUnread(task).catch(() => undefined);
  await agent.states.enter(STATES[outcome.kind], describeOutcome(outcome)).catch(() => undefined);
}

/** Adds unread messages to the conversation for the next task. */
async function storeUnread(task: Task): Promise<void> {
  // Missing results go first: providers reject a result that does not directly follow its call.
  await settleOpenCalls(task.agent);
  await receiveSent(task);
}

const STATES: Readonly<Record<Outcome["kind"], AgentState>> = {
  answered: "done",
  stopped: "idle",
  failed: "failed",
};

function describeOutcome(outcome: Outcome): string | undefined {
  if (outcome.kind === "failed") return outcome.fault.message;
  return outcome.kind === "stopped" ? outcome.detail : undefined;
}

function masked({ options }: AgentRuntime, fault: Fault): Fault {
  return maskValue(fault, options.engine.masker) as unknown as Fault;
}
