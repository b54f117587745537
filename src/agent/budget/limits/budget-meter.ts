import type { Budget, BudgetKind, SharedSpent } from "./budget.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** How much of one kind is used. */
export interface Level {
  readonly kind: BudgetKind;
  readonly used: number;
  readonly limit: number;
}

/** Measures one task against its budget. */
export interface BudgetMeter {
  spend(amounts: Partial<Readonly<Record<"turns" | "tokens" | "money" | "calls", number>>>): void;
  /** The kinds that are nearly used up since it was asked last; each is given once. */
  newWarnings(): readonly Level[];
  /** What was warned of, as it was then: what the model is told of it stays the same, and with it what its provider has kept. */
  warned(): readonly Level[];
  /** What keeps the next request from being made. Calls do not: without any left the model can still answer. */
  spent(): Level | undefined;
  /** The level of calls, once none is left. */
  spentCalls(): Level | undefined;
  callsLeft(): number;
  /** What is left of every kind that has a limit: for a task that goes on with this one. */
  left(): Budget;
  /** True where no further request could follow the next. */
  isLastTurn(): boolean;
}

/** A warning comes when so much is used. */
const WARN_AT = 0.8;
const STOPPING: readonly BudgetKind[] = ["turns", "tokens", "money", "time"];

/** Begins to measure; what is left out of the budget has no limit. What others spend from now on comes out of it too. */
export function createBudgetMeter(
  budget: Budget,
  stopwatch: Pick<Stopwatch, "elapsedMs">,
  spentByOthers: () => SharedSpent = byNobody,
): BudgetMeter {
  const before = spentByOthers();
  const used = { turns: 0, tokens: 0, money: 0, calls: 0 };
  const warned = new Map<BudgetKind, Level>();
  const levelOf = (kind: BudgetKind): Level | undefined => {
    const limit = budget[KEYS[kind]];
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
    spend(amounts) {
      used.turns += amounts.turns ?? 0;
      used.tokens += amounts.tokens ?? 0;
      used.money += amounts.money ?? 0;
      used.calls += amounts.calls ?? 0;
    },
    newWarnings() {
      const fresh = levels().filter(
        (level) => level.used >= level.limit * WARN_AT && !warned.has(level.kind),
      );
      for (const level of fresh) warned.set(level.kind, level);
      return fresh;
    },
    warned: () => [...warned.values()],
    spent: () => STOPPING.map(levelOf).find(isSpent),
    spentCalls() {
      const level = levelOf("calls");
      return isSpent(level) ? level : undefined;
    },
    left: () =>
      Object.fromEntries(
        levels().map(({ kind, used: amount, limit }) => [KEYS[kind], Math.max(0, limit - amount)]),
      ),
    callsLeft: () => Math.max(0, (budget.calls ?? Number.POSITIVE_INFINITY) - used.calls),
    isLastTurn: () => budget.turns !== undefined && used.turns + 1 >= budget.turns,
  };
}

function byNobody(): SharedSpent {
  return { tokens: 0, money: undefined };
}

/** Under which name a budget has the limit of each kind. */
const KEYS = {
  turns: "turns",
  tokens: "tokens",
  money: "money",
  time: "timeMs",
  calls: "calls",
} as const satisfies Record<BudgetKind, keyof Budget>;

/** A level in words. */
export function describeLevel({ kind, used, limit }: Level): string {
  switch (kind) {
    case "time":
      return `${seconds(used)} of ${seconds(limit)} s`;
    case "money":
      return `${amount(used)} of ${amount(limit)} in money`;
    default:
      return `${used} of ${limit} ${kind}`;
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

function amount(money: number): string {
  return String(Number(money.toFixed(4)));
}
