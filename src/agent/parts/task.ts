import { ToolError } from "../../core/errors.ts";
import type { UserMessage } from "../../core/agent/message.ts";
import type { Budget, SharedSpent } from "../budget/limits/budget.ts";
import type { BudgetMeter, Level } from "../budget/limits/budget-meter.ts";
import { createBudgetMeter, describeLevel } from "../budget/limits/budget-meter.ts";
import type { HookGuard } from "./hook-guard.ts";
import { createHookGuard } from "./hook-guard.ts";
import type { LoopGuard } from "./loop-guard.ts";
import { createLoopGuard } from "./loop-guard.ts";
import type { Outcome } from "./running-agent.ts";
import type { Stopwatch } from "../budget/limits/stopwatch.ts";
import { createStopwatch } from "../budget/limits/stopwatch.ts";

export type Stopped = Extract<Outcome, { readonly kind: "stopped" }>;

/** What an agent is busy with, from a message to its outcome. */
export interface Task {
  /** Aborted when the task must end; its reason is a `ToolError`. */
  readonly signal: AbortSignal;
  readonly meter: BudgetMeter;
  readonly stopwatch: Stopwatch;
  readonly loopGuard: LoopGuard;
  readonly hookGuard: HookGuard;
  /** Messages that were sent and not read yet. */
  readonly inbox: UserMessage[];
  readonly course: TaskCourse;
  /** Ends what runs; false where that was done before. */
  stop(stopped: Stopped): boolean;
  stopped(): Stopped | undefined;
}

/** How a task has gone so far. */
export interface TaskCourse {
  /** What is sent now still belongs to it. */
  isOpen: boolean;
  /** How often in a row the model answered nothing. */
  empty: number;
  /** How often the last answer was not what it should be. */
  unfit: number;
  /** What came so far of an answer that is cut at its length. */
  pieces: readonly string[];
  /** How many tokens were left when the conversation was made shorter. */
  leftTokens: number;
  /** The model was told that it goes in circles. */
  isTold: boolean;
  /** In this turn a call has waited for a message. */
  hasWaited: boolean;
  /** A call has said that with this turn the work is done. */
  isFinished: boolean;
}

/** Begins a task: from now on its time is counted, and ends it when it is spent. */
export function createTask(
  budget: Budget = {},
  onTimeSpent: (level: Level) => void = () => undefined,
  spentByOthers?: () => SharedSpent,
): Task {
  const controller = new AbortController();
  let stopped: Stopped | undefined;
  const stop = (why: Stopped): boolean => {
    if (stopped !== undefined) return false;
    stopped = why;
    controller.abort(new ToolError("CANCELLED", why.detail));
    return true;
  };
  const stopwatch = createStopwatch(budget.timeMs, () => {
    const level = { kind: "time", used: stopwatch.elapsedMs(), limit: budget.timeMs ?? 0 } as const;
    if (stop(stoppedBy(level))) onTimeSpent(level);
  });
  return {
    signal: controller.signal,
    meter: createBudgetMeter(budget, stopwatch, spentByOthers),
    stopwatch,
    loopGuard: createLoopGuard(),
    hookGuard: createHookGuard(),
    inbox: [],
    course: {
      isOpen: true,
      empty: 0,
      unfit: 0,
      pieces: [],
      leftTokens: 0,
      isTold: false,
      hasWaited: false,
      isFinished: false,
    },
    stop,
    stopped: () => stopped,
  };
}

/** What becomes of a task whose budget is spent. */
export function stoppedBy(level: Level): Stopped {
  return { kind: "stopped", why: level.kind, detail: `the budget is spent: ${describeLevel(level)}` };
}
