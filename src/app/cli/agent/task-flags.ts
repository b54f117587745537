import { readFileSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { BudgetSetting } from "../../config/setting-values.ts";
import type { Arguments, Flags } from "../../terminal/input/command.ts";
import { parseJson } from "../../terminal/input/read-input.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The flags that limit what one task may cost. */
export const BUDGET_FLAGS = {
  "max-turns": { summary: "at most so many requests to the model", value: "N" },
  "max-tokens": { summary: "at most so many tokens, of requests and answers together", value: "N" },
  "max-cost": { summary: "at most so much money; needs a price for the model", value: "AMOUNT" },
  "max-seconds": { summary: "at most so long", value: "S" },
  "max-calls": { summary: "at most so many calls", value: "N" },
} as const satisfies Flags;

const LIMITS = {
  "max-turns": "turns",
  "max-tokens": "tokens",
  "max-cost": "money",
  "max-seconds": "seconds",
  "max-calls": "calls",
} as const satisfies Record<keyof typeof BUDGET_FLAGS, keyof BudgetSetting>;

const FRACTIONS: ReadonlySet<string> = new Set(["money", "seconds"]);

/** The limits that flags set; they go over those of the config. */
export function readBudget({ flags }: Arguments): BudgetSetting {
  const limits: Partial<Record<keyof BudgetSetting, number>> = {};
  for (const [flag, key] of Object.entries(LIMITS)) {
    const text = flags[flag];
    if (text === undefined) continue;
    const limit = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
    const isWhole = FRACTIONS.has(key) || Number.isSafeInteger(limit);
    if (!(limit > 0 && Number.isFinite(limit) && isWhole)) {
      throw new ToolError("INVALID_INPUT", `--${flag} cannot be ${JSON.stringify(text)}`, {
        hint: FRACTIONS.has(key) ? "a number above 0" : "a whole number above 0",
      });
    }
    limits[key] = limit;
  }
  return limits;
}

/** The schema that the answer must fit; undefined where none was named. */
export function readOutputSchema({ flags }: Arguments): JsonObject | undefined {
  const file = flags["output-schema"];
  if (typeof file !== "string") return undefined;
  const read = parseJson(readText(file), file);
  if ("unreadable" in read) throw new ToolError("INVALID_INPUT", `--output-schema: ${read.unreadable}`);
  if (isObject(read.input)) return read.input;
  throw new ToolError("INVALID_INPUT", `--output-schema: ${file} is no JSON Schema`, {
    hint: 'an object, such as {"type": "object", "properties": {…}}',
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = errorMessage(error);
    throw new ToolError("INVALID_INPUT", `--output-schema: ${file} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}
