import type { UserMessage } from "../core/agent/message.ts";
import { createSerializer } from "../util/async/serialize.ts";
import { contentText } from "../util/text/content-text.ts";
import { runTask } from "./run-task.ts";
import type { AgentRuntime } from "./runtime/agent-runtime.ts";
import { maskContent } from "./runtime/messages.ts";
import type { Outcome, SendOptions } from "./runtime/running-agent.ts";
import { createTask, type Stopped, type Task } from "./runtime/task.ts";

/** Runs the tasks of an agent one after the other. */
export interface Tasks {
  /** Adds a message to the open task, or starts a task with it. Settles with the outcome, never rejects. */
  send(message: UserMessage, options: Omit<SendOptions, "from">): Promise<Outcome>;
  /** Ends the open task; false if there is none. */
  stop(reason: string): boolean;
  open(): Task | undefined;
  /** Runs work after all tasks that were started; later tasks wait for it. */
  runAfter<T>(work: () => Promise<T>): Promise<T>;
}

interface Running {
  readonly task: Task;
  readonly outcome: Promise<Outcome>;
}

export function createTasks(agent: AgentRuntime): Tasks {
  let running: Running | undefined;
  const runAfter = createSerializer();
  const open = (): Task | undefined => (running?.task.progress.isOpen === true ? running.task : undefined);
  const start = (message: UserMessage, continues: boolean): Running => {
    const { budget: whole = {}, spentByOthers, team } = agent.options;
    const budget = continues && running !== undefined ? running.task.meter.left() : whole;
    const task = createTask({ budget, spentByOthers, emit: agent.emit });
    put(task, message);
    team?.taskStarted(continues);
    return { task, outcome: runAfter(() => runTask(agent, task)) };
  };
  const join = (busy: Running, message: UserMessage): Running => {
    put(busy.task, message);
    emitQueued(agent, message);
    return busy;
  };
  return {
    open,
    runAfter,
    stop: (reason) => open()?.stop(cancelled(reason)) ?? false,
    send(message, { signal, goesOn = false }) {
      if (signal?.aborted === true) return Promise.resolve(cancelled(reasonOf(signal)));
      running = running?.task.progress.isOpen === true ? join(running, message) : start(message, goesOn);
      const { task, outcome } = running;
      return signal === undefined ? outcome : stoppable(task, outcome, signal);
    },
  };
}

/** Returns the outcome of a task that was cancelled. */
export function cancelled(detail: string): Stopped {
  return { kind: "stopped", why: "cancelled", detail };
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
