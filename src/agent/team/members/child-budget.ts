import { ToolError } from "../../../core/errors.ts";
import type { Budget, SharedSpent, Spent } from "../../budget/budget.ts";
import type { Member } from "./member.ts";
import { NOTHING_SPENT } from "./member.ts";

const DEFAULT_TURNS = 50;

/**
 * What a child may spend: never more than its parent has left for its task. Tokens and money are one purse for everybody below; turns,
 * calls and time each agent has its own of.
 */
export function childBudget(parent: Member, most: Budget = { turns: DEFAULT_TURNS }, turns?: number): Budget {
  const left = leftOf(parent);
  const spent = Object.entries(left).find(([, amount]) => amount <= 0);
  if (spent !== undefined) {
    throw new ToolError("TOOL_FAILED", `your budget (${spent[0]}) is spent: another agent would have none`, {
      hint: "finish with what you have",
    });
  }
  return smallest([most, left, turns === undefined ? {} : { turns }]);
}

/** True where an agent could make no further request for its task. Without calls it still can. */
export function isSpent(member: Member): boolean {
  return Object.entries(leftOf(member)).some(([kind, amount]) => kind !== "calls" && amount <= 0);
}

/** The kind of which an agent and everybody below it have nothing left; undefined where there is none. */
export function emptyPurse(member: Member): "tokens" | "money" | undefined {
  const { tokens, money } = member.budget;
  if (tokens === undefined && money === undefined) return undefined;
  const left = leftOf(member);
  return (["tokens", "money"] as const).find((kind) => (left[kind] ?? 1) <= 0);
}

/** By an agent itself; of tokens and money, by everybody below it too. */
export function spentWithin(member: Member): Spent {
  const own = member.agent?.spent() ?? NOTHING_SPENT;
  return { ...own, ...shared(own, spentBelow(member)) };
}

/** By everybody below an agent, those who have ended among them. */
export function spentBelow(member: Member): SharedSpent {
  return [...member.children].map(spentWithin).reduce(shared, member.spentBelow);
}

/** Tokens and money together. */
export function shared(a: SharedSpent, b: SharedSpent): SharedSpent {
  const isKnown = a.money !== undefined || b.money !== undefined;
  return {
    tokens: a.tokens + b.tokens,
    money: isKnown ? (a.money ?? 0) + (b.money ?? 0) : undefined,
  };
}

const KINDS = ["turns", "tokens", "money", "timeMs", "calls"] as const satisfies readonly (keyof Budget)[];

function leftOf(member: Member): Budget {
  const now = spentWithin(member);
  const { budget, spentBefore } = member;
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const limit = budget[kind];
      const used = (now[kind] ?? 0) - (spentBefore[kind] ?? 0);
      return limit === undefined ? [] : [[kind, limit - used]];
    }),
  );
}

function smallest(budgets: readonly Budget[]): Budget {
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const limits = budgets.flatMap((budget) => budget[kind] ?? []);
      return limits.length === 0 ? [] : [[kind, Math.min(...limits)]];
    }),
  );
}
