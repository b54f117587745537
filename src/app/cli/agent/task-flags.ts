import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { BudgetSetting } from "../../config/settings/budget-setting.ts";
import {
  CONFIG_FLAGS,
  RUN_FLAGS,
  STORE_FLAG,
  type Arguments,
  type Flags,
} from "../../terminal/input/command.ts";
import { numberFlag } from "../../terminal/input/check-arguments.ts";
import { parseJson } from "../../terminal/input/read-input.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The flags of a conversation: the user can be prompted, and a time limit for a call is not one for a conversation. */
export const TALK_FLAGS = { ...CONFIG_FLAGS, ...STORE_FLAG, sandbox: RUN_FLAGS.sandbox } as const;

/** The flag that chooses the model. */
export const MODEL_FLAG = {
  model: { summary: "model to use; see docs/models.md", value: "PROVIDER/NAME", short: "m" },
} as const satisfies Flags;

/** The flags that limit one task. */
export const BUDGET_FLAGS = {
  "max-turns": { summary: "limit on model requests", value: "N" },
  "max-tokens": { summary: "limit on tokens, input and output together", value: "N" },
  "max-cost": { summary: "spending limit (USD); needs a price for the model", value: "AMOUNT" },
  "max-seconds": { summary: "time limit (seconds)", value: "SECONDS" },
  "max-calls": { summary: "limit on tool calls", value: "N" },
} as const satisfies Flags;

const LIMITS = {
  "max-turns": "turns",
  "max-tokens": "tokens",
  "max-cost": "money",
  "max-seconds": "seconds",
  "max-calls": "calls",
} as const satisfies Record<keyof typeof BUDGET_FLAGS, keyof BudgetSetting>;

const FRACTIONS: ReadonlySet<string> = new Set(["money", "seconds"]);

/** Returns the limits set by flags, which override those of the config. */
export function readBudget({ flags }: Arguments): BudgetSetting {
  const limits: Partial<Record<keyof BudgetSetting, number>> = {};
  for (const [flag, key] of Object.entries(LIMITS)) {
    const isWhole = !FRACTIONS.has(key);
    const isValid = (value: number): boolean =>
      value > 0 && value < Infinity && (!isWhole || Number.isSafeInteger(value));
    const limit = numberFlag(
      { flags },
      flag,
      isValid,
      isWhole ? "a whole number above 0" : "a number above 0",
    );
    if (limit !== undefined) limits[key] = limit;
  }
  return limits;
}

/** Returns the stored session to resume, true for the last one of the workspace; undefined for a new one. */
export function resumedSession({ flags }: Arguments): string | true | undefined {
  const { resume, continue: last } = flags;
  if (last !== true) return typeof resume === "string" ? resume : undefined;
  if (resume === undefined) return true;
  throw new ToolError("INVALID_INPUT", "--continue and --resume cannot be used together");
}

/** Reads the schema that the answer must match; undefined without the flag. */
export function readOutputSchema({ flags }: Arguments, folder: string): JsonObject | undefined {
  const file = flags["output-schema"];
  if (typeof file !== "string") return undefined;
  const read = parseJson(readText(file, folder), file);
  if ("unreadable" in read) throw new ToolError("INVALID_INPUT", `--output-schema: ${read.unreadable}`);
  if (isObject(read.input)) return read.input;
  throw new ToolError("INVALID_INPUT", `--output-schema: ${file} is not a JSON Schema`, {
    hint: 'expected an object, such as {"type": "object", "properties": {…}}',
  });
}

function readText(file: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    const reason = errorMessage(error);
    throw new ToolError("INVALID_INPUT", `--output-schema: cannot read ${file}: ${reason}`, { cause: error });
  }
}
