import type { Model } from "../../core/agent/model.ts";
import type { Conversation, InstructionPart } from "../../core/agent/conversation.ts";
import type { GoalBook } from "../../tools/memory/goals/goals.ts";
import type { Ledger } from "../budget/ledger.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import type { AgentEventBody } from "./agent-events.ts";
import type { ToolOrigins } from "./tool-origins.ts";
import type { AgentStates } from "./agent-states.ts";
import type { OutputCheck } from "./check-output.ts";
import type { AgentOptions, TurnSettings } from "./running-agent.ts";
import type { Outcome } from "./outcome.ts";
import { ToolError } from "../../core/errors.ts";
import type { UserMessage, Sender } from "../../core/agent/message.ts";
import { describeLevel, type Budget, type Level } from "../budget/budget.ts";
import { createBudgetMeter, createStopwatch } from "../budget/meter.ts";
import { createLoopGuard } from "./loop-guard.ts";

/** The parts of an open agent that its tasks share. */
export interface AgentRuntime {
  readonly options: AgentOptions;
  readonly session: LiveSession;
  readonly states: AgentStates;
  readonly ledger: Ledger;
  readonly goals: Goals;
  /** Returns the parts of the system prompt. */
  readonly prompt: () => Promise<readonly InstructionPart[]>;
  readonly markOrigins: ToolOrigins;
  /** The session as the agent's own tools can read and change it. */
  readonly conversation: Conversation;
  /** Set if an output schema was given. */
  readonly checkOutput: OutputCheck | undefined;
  /** Returns the model for the next request. */
  readonly model: () => Model;
  readonly emit: (event: AgentEventBody) => void;
  /** What the provider counted for the last request. */
  readonly counted: { inputTokens: number | undefined };
  /** The sources that were reported as late. */
  readonly late: Set<string>;
  /** Runs queued work; called when no request and no call is running. */
  readonly runBetweenTurns: (task: Task) => Promise<void>;
}

/** The goals and decisions of a session. */
export interface Goals {
  /** Returns them as they were read last. */
  book(): GoalBook;
  read(): Promise<GoalBook>;
}

export type Stopped = Extract<Outcome, { readonly kind: "stopped" }>;

/** Returns the outcome of a task that was cancelled. */
export function cancelled(detail: string): Stopped {
  return { kind: "stopped", why: "cancelled", detail };
}

/** The work of an agent from a message to its outcome. */
export type Task = Readonly<ReturnType<typeof createTask>>;

/** Starts a task of an agent: its time runs from now on and ends it when it is spent. */
export function createTask(agent: AgentRuntime, budget: Budget = {}) {
  const { emit } = agent;
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  let stopped: Stopped | undefined;
  const stop = (why: Stopped): boolean => {
    if (stopped !== undefined) return false;
    stopped = why;
    controller.abort(new ToolError("CANCELLED", why.detail));
    return true;
  };
  const endAt = (level: Level): void => {
    if (stop(spentOutcome(level))) emit({ type: "budget.spent", ...level });
  };
  const stopAt = (level: Level): Stopped => {
    emit({ type: "budget.spent", ...level });
    return spentOutcome(level);
  };
  const stopwatch = createStopwatch(budget.timeMs, () =>
    endAt({ kind: "time", used: stopwatch.elapsedMs(), limit: budget.timeMs ?? 0 }),
  );
  const meter = createBudgetMeter(budget, stopwatch, agent.options.spentByOthers);
  return {
    agent,
    /** Aborted when the task must end; its reason is a `ToolError`. */
    signal,
    meter,
    stopwatch,
    loopGuard: createLoopGuard(),
    hookGuard: createHookGuard(),
    /** Messages that were sent and not read yet. */
    inbox: [] as UserMessage[],
    progress: newProgress(),
    /** Ends the task; false if it was ended before. */
    stop,
    stopped: (): Stopped | undefined => stopped,
    /** Emits a warning for each limit that has become nearly spent. */
    warnOfBudget(): void {
      for (const level of meter.newWarnings()) emit({ type: "budget.warned", ...level });
    },
    /** Returns the outcome, and emits it, if the budget allows no further request. */
    stopIfSpent(): Stopped | undefined {
      const level = meter.spent();
      return level && stopAt(level);
    },
    /** Emits that a limit is reached and returns the outcome. */
    stopAt,
    /** Ends a task whose budget was spent between its turns, so that no request follows. */
    endIfSpent(): void {
      const level = meter.spent();
      if (level !== undefined) endAt(level);
    },
  };
}

/** Returns what the loop remembers of a task between its turns. */
function newProgress() {
  return {
    /** Messages that are sent now still belong to the task. */
    isOpen: true,
    /** How many answers in a row were empty. */
    emptyAnswers: 0,
    /** How many last answers did not match the output schema. */
    invalidAnswers: 0,
    /** The pieces so far of an answer that is cut at its length limit. */
    pieces: [] as readonly string[],
    /** The size of the request after the last compaction. */
    compactedTokens: 0,
    /** The model was told that it repeats itself. */
    isLoopReported: false,
    /** A call of this turn has waited for a message. */
    hasWaited: false,
    /** A call has declared the work done with this turn. */
    isFinished: false,
    /** How many turns the task has begun. */
    turns: 0,
    /** What `eachTurn` returned for this turn. */
    settings: {} as TurnSettings,
  };
}

function spentOutcome(level: Level): Stopped {
  return { kind: "stopped", why: level.kind, detail: `the budget is spent: ${describeLevel(level)}` };
}

const MAX_MESSAGES = 10;

/**
 * Creates what limits the messages that hooks can send to the model in one task. A hook that sends the same message again has been triggered by the agent's reaction to the first
 * one, so the second is dropped. All hooks together may send ten messages.
 */
export function createHookGuard() {
  const seen = new Set<string>();
  const refused = new Set<string>();
  const refuse = ({ name }: Sender, why: "itself" | "many"): typeof why => {
    refused.add(name);
    return why;
  };
  return {
    /** Returns why a hook's message must be dropped; undefined for all messages that may pass. */
    refuses({ from }: UserMessage): "itself" | "many" | undefined {
      if (from?.kind !== "hook") return undefined;
      if (seen.has(from.id)) return refuse(from, "itself");
      if (seen.size >= MAX_MESSAGES) return refuse(from, "many");
      seen.add(from.id);
      return undefined;
    },
    /** Returns the names of the hooks that were refused. */
    refused: (): readonly string[] => [...refused],
  };
}
