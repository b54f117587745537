import type { Budget } from "../../../agent/budget/budget.ts";
import { object, optional, type Infer } from "../../../schema/define/schema.ts";
import { defined } from "../../../util/json/defined.ts";
import { aboveZero, count } from "./setting-values.ts";

/** The limits of a task, in units that people write. */
export const BUDGET = object({
  turns: optional(count("Requests to the model")),
  tokens: optional(count("Tokens of all requests and answers")),
  money: optional(aboveZero("Spending limit (USD)")),
  seconds: optional(aboveZero("Time limit (seconds)")),
  calls: optional(count("Tool calls")),
});
export type BudgetSetting = Infer<typeof BUDGET>;

/** Returns the smaller limit of each kind. */
export function tighterBudget(base: BudgetSetting, wish: BudgetSetting): BudgetSetting {
  const limits = [base, wish].flatMap((one) => Object.entries(one) as [keyof BudgetSetting, number][]);
  const tighter: Partial<Record<keyof BudgetSetting, number>> = {};
  for (const [key, limit] of limits) tighter[key] = Math.min(tighter[key] ?? Infinity, limit);
  return tighter;
}

/** Returns the budget in the agent's units. */
export function toBudget({ seconds: limit, ...rest }: BudgetSetting): Budget {
  return { ...rest, ...defined({ timeMs: limit === undefined ? undefined : limit * 1000 }) };
}
