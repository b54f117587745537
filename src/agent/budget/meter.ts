import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { LIMIT_NAMES, type Budget, type BudgetKind, type Level, type SharedSpent } from "./budget.ts";

/** Measures one task against its budget. */
export type BudgetMeter = ReturnType<typeof createBudgetMeter>;

/** The share of a limit at which a warning is given. */
/** The share of a limit from which an agent and its screens warn. */
export const WARN_AT = 0.8;
const STOPPING: readonly BudgetKind[] = ["turns", "tokens", "money", "time"];

/** Starts to measure. What `spentByOthers` grows by from now on counts against tokens and money too. */
export function createBudgetMeter(
  budget: Budget,
  stopwatch: Pick<Stopwatch, "elapsedMs">,
  spentByOthers: () => SharedSpent = () => ({ tokens: 0, money: undefined }),
) {
  const before = spentByOthers();
  const used = { turns: 0, tokens: 0, money: 0, calls: 0 };
  const warned = new Map<BudgetKind, Level>();
  const levelOf = (kind: BudgetKind): Level | undefined => {
    const limit = budget[LIMIT_NAMES[kind]];
    if (limit === undefined) return undefined;
    if (kind === "time") return { kind, used: stopwatch.elapsedMs(), limit };
    if (kind === "turns" || kind === "calls") return { kind, used: used[kind], limit };
    return { kind, used: used[kind] + (spentByOthers()[kind] ?? 0) - (before[kind] ?? 0), limit };
  };
  const levels = (): readonly Level[] =>
    [...STOPPING, "calls" as const].flatMap((kind) => levelOf(kind) ?? []);
  const isSpent = (level: Level | undefined): level is Level =>
    level !== undefined && level.used >= level.limit;
  return {
    spend(amounts: Partial<Readonly<Record<"turns" | "tokens" | "money" | "calls", number>>>): void {
      used.turns += amounts.turns ?? 0;
      used.tokens += amounts.tokens ?? 0;
      used.money += amounts.money ?? 0;
      used.calls += amounts.calls ?? 0;
    },
    /** Returns the kinds that have become nearly spent since the last call; each is returned once. */
    newWarnings(): readonly Level[] {
      const fresh = levels().filter(
        (level) => level.used >= level.limit * WARN_AT && !warned.has(level.kind),
      );
      for (const level of fresh) warned.set(level.kind, level);
      return fresh;
    },
    /** Returns all warnings with the levels at that time, so that text made from them stays the same and a provider can cache it. */
    warned: (): readonly Level[] => [...warned.values()],
    /** Returns the level that prevents the next request. Calls never do: without calls left the model can still answer. */
    spent: (): Level | undefined => STOPPING.map(levelOf).find(isSpent),
    /** Returns the level of calls once none is left. */
    spentCalls(): Level | undefined {
      const level = levelOf("calls");
      return isSpent(level) ? level : undefined;
    },
    /** Returns what is left of every limit, for a task that continues this one. */
    left: (): Budget =>
      Object.fromEntries(
        levels().map(({ kind, used: amount, limit }) => [LIMIT_NAMES[kind], Math.max(0, limit - amount)]),
      ),
    callsLeft: (): number => Math.max(0, (budget.calls ?? Number.POSITIVE_INFINITY) - used.calls),
    /** True if the next request is the last. */
    isLastTurn: (): boolean => budget.turns !== undefined && used.turns + 1 >= budget.turns,
  };
}

/** Measures working time; paused while the work waits for a person. */
export type Stopwatch = ReturnType<typeof createStopwatch>;

/** Starts at once; calls `onLimit` once when the limit is reached. */
export function createStopwatch(limitMs?: number, onLimit: () => void = () => undefined) {
  let countedMs = 0;
  let startedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const elapsedMs = (): number => countedMs + (startedAt === undefined ? 0 : performance.now() - startedAt);
  const pause = (): void => {
    countedMs = elapsedMs();
    startedAt = undefined;
    clearTimeout(timer);
  };
  const resume = (): void => {
    if (startedAt !== undefined || isStopped) return;
    startedAt = performance.now();
    const leftMs = Math.max(0, (limitMs ?? Number.POSITIVE_INFINITY) - countedMs);
    // A longer timer would overflow and fire at once.
    if (leftMs <= LONGEST_TIMER_MS) timer = setTimeout(onLimit, leftMs);
  };
  resume();
  return {
    elapsedMs,
    pause,
    resume,
    /** Stops for good; the limit is never reported afterwards. */
    stop(): void {
      isStopped = true;
      pause();
    },
  };
}
