import type { UserMessage } from "../core/agent/message.ts";
import type { AgentParts } from "./parts/agent-parts.ts";
import type { Level } from "./budget/limits/budget-meter.ts";
import { maskContent } from "./parts/mask-message.ts";
import { contentText } from "../util/text/content-text.ts";
import { runTask } from "./run-task.ts";
import type { Outcome, SendOptions } from "./parts/running-agent.ts";
import type { Stopped, Task } from "./parts/task.ts";
import { createTask } from "./parts/task.ts";
import { createSerializer } from "../util/async/serialize.ts";

/** The tasks of an agent: one at a time, one after the other. */
export interface Tasks {
  /** What is sent while a task is open becomes part of it; else it begins one. Settles with the outcome, never rejects. */
  send(message: UserMessage, options: Omit<SendOptions, "from">): Promise<Outcome>;
  /** Ends the task that is open; false where none is. */
  stop(reason: string): boolean;
  /** The one that is open. */
  open(): Task | undefined;
  /** Does something when no task is under way; none begins before it is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

interface Running {
  readonly task: Task;
  readonly outcome: Promise<Outcome>;
}

export function createTasks(agent: AgentParts): Tasks {
  let running: Running | undefined;
  const inTurn = createSerializer();
  const open = (): Task | undefined => (running?.task.course.isOpen === true ? running.task : undefined);
  const begin = (message: UserMessage, goesOn: boolean): Running => {
    const { budget: whole, spentByOthers } = agent.options;
    const budget = goesOn && running !== undefined ? running.task.meter.left() : whole;
    const tellTime = (level: Level): void => agent.tell({ type: "budget.spent", ...level });
    const task = createTask(budget, tellTime, spentByOthers);
    put(task, message);
    return { task, outcome: inTurn(() => runTask(agent, task)) };
  };
  const join = (busy: Running, message: UserMessage): Running => {
    put(busy.task, message);
    tellQueued(agent, message);
    return busy;
  };
  return {
    open,
    inTurn,
    stop: (reason) => open()?.stop(cancelled(reason)) ?? false,
    send(message, { signal, goesOn = false }) {
      if (signal?.aborted === true) return Promise.resolve(cancelled(reasonOf(signal)));
      running = running?.task.course.isOpen === true ? join(running, message) : begin(message, goesOn);
      const { task, outcome } = running;
      return signal === undefined ? outcome : stoppable(task, outcome, signal);
    },
  };
}

/** A task that ended for somebody's word. */
export function cancelled(detail: string): Stopped {
  return { kind: "stopped", why: "cancelled", detail };
}

function tellQueued({ options, tell }: AgentParts, { content, from }: UserMessage): void {
  if (content.length === 0) return;
  tell({
    type: "message.queued",
    from,
    text: contentText(maskContent(content, options.engine.masker.text)),
  });
}

/** One without content adds nothing: the agent only looks for what waits for it. */
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
