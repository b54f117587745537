/** What a budget can limit. */
export type BudgetKind = "turns" | "tokens" | "money" | "time" | "calls";

/** The limits of one task; a limit that is not set does not apply. */
export interface Budget {
  /** Turns: each is one answer of the model, with its calls. */
  readonly turns?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  /** In the currency of the model's price; requires a model with a known price. */
  readonly money?: number;
  /** Working time in milliseconds: waiting for a person does not count. */
  readonly timeMs?: number;
  /** Calls of tools. */
  readonly calls?: number;
}

/** What was spent so far. */
export interface Spent {
  /** Turns: each is one answer of the model, with its calls. */
  readonly turns: number;
  /** Input and output tokens together. */
  readonly tokens: number;
  /** Undefined if the model's price is not known. */
  readonly money: number | undefined;
  /** While tasks were running. */
  readonly timeMs: number;
  /** Calls of tools. */
  readonly calls: number;
}

/** The part of `Spent` that several agents can share a budget of. */
export type SharedSpent = Pick<Spent, "tokens" | "money">;

export const NOTHING_SPENT: Spent = { turns: 0, tokens: 0, money: undefined, timeMs: 0, calls: 0 };

/** How much of one kind is used. */
export interface Level {
  /** Which limit of the budget. */
  readonly kind: BudgetKind;
  /** In the unit of its kind: turns, tokens, money, milliseconds or calls. */
  readonly used: number;
  /** In the same unit. */
  readonly limit: number;
}

/** Maps each kind to the name of its limit in a budget. */
export const LIMIT_NAMES = {
  turns: "turns",
  tokens: "tokens",
  money: "money",
  time: "timeMs",
  calls: "calls",
} as const satisfies Record<BudgetKind, keyof Budget>;

/** The names of the limits of a budget. */
export const LIMITS = Object.values(LIMIT_NAMES);

/** Returns what is left of each limit after `spent`; less than zero if a limit was exceeded. */
export function remainingBudget(budget: Budget, spent: Spent): Budget {
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const limit = budget[name];
      return limit === undefined ? [] : [[name, limit - (spent[name] ?? 0)]];
    }),
  );
}

/** Returns the lowest limit of each kind. */
export function lowestLimits(budgets: readonly Budget[]): Budget {
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const limits = budgets.flatMap((budget) => budget[name] ?? []);
      return limits.length === 0 ? [] : [[name, Math.min(...limits)]];
    }),
  );
}

/** Returns what was spent after an earlier point in time. */
export function spentSince(earlier: Spent, now: Spent): Spent {
  return {
    turns: now.turns - earlier.turns,
    tokens: now.tokens - earlier.tokens,
    money: (now.money ?? 0) - (earlier.money ?? 0),
    timeMs: now.timeMs - earlier.timeMs,
    calls: now.calls - earlier.calls,
  };
}

/** Adds tokens and money; unknown money counts as none if the other is known. */
export function addShared(a: SharedSpent, b: SharedSpent): SharedSpent {
  const isKnown = a.money !== undefined || b.money !== undefined;
  return { tokens: a.tokens + b.tokens, money: isKnown ? (a.money ?? 0) + (b.money ?? 0) : undefined };
}

/** Formats a level, such as `3 of 5 turns`. */
export function describeLevel({ kind, used, limit }: Level): string {
  switch (kind) {
    case "time":
      return `${seconds(used)} of ${seconds(limit)} s`;
    case "money":
      return `${dollars(used)} of ${dollars(limit)}`;
    default:
      return `${used} of ${limit} ${kind}`;
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

/** Formats an amount of money: two decimals, four if it is below one dollar, more only if nothing else would be left. */
export function dollars(money: number): string {
  if (money > 0 && money < 0.001) return `$${Number(money.toPrecision(2))}`;
  return `$${money.toFixed(money < 1 ? 4 : 2)}`;
}
