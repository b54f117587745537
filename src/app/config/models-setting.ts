import type { Budget } from "../../agent/budget/budget.ts";
import { isObject } from "../../core/json.ts";
import type { Price } from "../../core/agent/model.ts";

/** What the user says of one model. */
export interface ModelSetting {
  /** Where its server is. */
  readonly baseUrl?: string;
  /** The environment variable that holds its key. */
  readonly keyVariable?: string;
  /** How many tokens a request and its answer may have together. */
  readonly window?: number;
  /** In money for a million tokens. */
  readonly price?: Price;
  /** How it writes calls: `native`, `auto` or the name of a text dialect. */
  readonly dialect?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

export const MODELS_EXPECTED =
  'an object of models, "provider/name" or "provider", each with "baseUrl", "keyVariable", "window", "price" {"input", "output", "cached"}, "dialect", "temperature" or "maxOutputTokens"';

/** The setting as it was written; undefined where a part of it cannot be. */
export function parseModels(written: unknown): Readonly<Record<string, ModelSetting>> | undefined {
  if (!isObject(written)) return undefined;
  return Object.values(written).every(isModel)
    ? (written as Readonly<Record<string, ModelSetting>>)
    : undefined;
}

const MODEL: Readonly<Record<keyof ModelSetting, (value: unknown) => boolean>> = {
  baseUrl: (value) => typeof value === "string" && URL.canParse(value) && /^https?:/.test(value),
  keyVariable: (value) => typeof value === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value),
  window: isCount,
  price: (value) =>
    isObject(value) &&
    fits(value, { input: isAmount, output: isAmount, cached: isAmount }) &&
    ["input", "output"].every((key) => key in value),
  dialect: (value) => typeof value === "string",
  temperature: (value) => isAmount(value) && value <= 2,
  maxOutputTokens: isCount,
};

function isModel(value: unknown): value is ModelSetting {
  return isObject(value) && fits(value, MODEL);
}

/** What a task may cost, in units that people write. */
export interface BudgetSetting {
  readonly turns?: number;
  readonly tokens?: number;
  readonly money?: number;
  readonly seconds?: number;
  readonly calls?: number;
}

export const BUDGET_EXPECTED =
  'an object with "turns", "tokens", "money", "seconds" or "calls", each a number above 0';

export function parseBudget(written: unknown): BudgetSetting | undefined {
  const isLimit = (value: unknown): boolean => isAmount(value) && value > 0;
  const known = { turns: isCount, tokens: isCount, money: isLimit, seconds: isLimit, calls: isCount };
  return isObject(written) && fits(written, known) ? written : undefined;
}

/** The smaller of two limits, where both are there. */
export function tighterBudget(base: BudgetSetting, wish: BudgetSetting): BudgetSetting {
  const limits = [base, wish].flatMap((one) => Object.entries(one) as [keyof BudgetSetting, number][]);
  const tighter: Partial<Record<keyof BudgetSetting, number>> = {};
  for (const [key, limit] of limits) tighter[key] = Math.min(tighter[key] ?? Infinity, limit);
  return tighter;
}

export function toBudget({ seconds, ...rest }: BudgetSetting): Budget {
  return { ...rest, ...(seconds !== undefined && { timeMs: seconds * 1000 }) };
}

/** True where every key is known and has a value that can be. */
function fits(value: object, known: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
  return Object.entries(value).every(([key, one]) => Object.hasOwn(known, key) && known[key]?.(one) === true);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
