import { ToolError } from "../../core/errors.ts";
import {
  addShared,
  lowestLimits,
  NOTHING_SPENT,
  remainingBudget,
  spentSince,
  type Budget,
  type SharedSpent,
  type Spent,
} from "../budget/budget.ts";
import { agentOf, type Member } from "./member.ts";

const DEFAULT_TURNS = 50;

/**
 * Returns the budget of a new child: never more than its parent has left for its task. Tokens and money are shared with all agents
 * below; turns, calls and time are counted for each agent. Throws if the parent has nothing left.
 */
export function childBudget(parent: Member, most: Budget = { turns: DEFAULT_TURNS }, turns?: number): Budget {
  const left = leftOf(parent);
  const spent = Object.entries(left).find(([, amount]) => amount <= 0);
  if (spent !== undefined) {
    throw new ToolError("TOOL_FAILED", `your budget (${spent[0]}) is spent: no agent can be created`, {
      hint: "finish with what you have",
    });
  }
  return lowestLimits([most, left, turns === undefined ? {} : { turns }]);
}

/** True if an agent can make no further request for its task. Without calls it still can. */
export function isSpent(member: Member): boolean {
  return Object.entries(leftOf(member)).some(([kind, amount]) => kind !== "calls" && amount <= 0);
}

/** Returns the shared limit that an agent and the agents below it have used up. */
export function spentSharedLimit(member: Member): "tokens" | "money" | undefined {
  const { tokens, money } = member.budget;
  if (tokens === undefined && money === undefined) return undefined;
  const left = leftOf(member);
  return (["tokens", "money"] as const).find((kind) => (left[kind] ?? 1) <= 0);
}

/** Returns what an agent has spent; of tokens and money, with all agents below it. */
export function spentWithin(member: Member): Spent {
  const own = agentOf(member)?.spent() ?? NOTHING_SPENT;
  return { ...own, ...addShared(own, spentBelow(member)) };
}

/** Returns what all agents below an agent have spent, also those that have ended. */
export function spentBelow(member: Member): SharedSpent {
  return [...member.children].map(spentWithin).reduce(addShared, member.spentBelow);
}

function leftOf(member: Member): Budget {
  return remainingBudget(member.budget, spentSince(member.spentBefore, spentWithin(member)));
}
