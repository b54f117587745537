import { ToolError } from "../../core/errors.ts";
import { HOOK_POINTS } from "../../core/hook.ts";
import type { JsonObject } from "../../core/json.ts";
import { EFFECTS, RISKS } from "../../core/spec.ts";
import { list, object, oneOf, string } from "../../schema/define/schema.ts";
import { parseDocument } from "../../schema/parse-document.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const NAME = string(undefined, { min: 1 });
const PATTERN = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";
const WORD = string(undefined, {
  pattern: PATTERN,
  expected: "up to 64 letters, digits, dashes and underscores",
});

/** The data of each part; the functions are checked beside them. */
const SCHEMAS = {
  tool: object({
    name: NAME,
    description: string(),
    input: { type: "object" },
    risk: oneOf(RISKS),
    place: NAME,
    effects: oneOf(EFFECTS),
  }),
  hook: object({ name: NAME, on: list(oneOf(HOOK_POINTS), undefined, { min: 1 }) }),
  command: object({ name: WORD, summary: string() }),
  provider: object({ name: WORD }),
} satisfies Readonly<Record<string, JsonObject>>;

/** Throws what is wrong with a part of an extension: plain JavaScript has no type check. `run` must be a function. */
export function checkPart(kind: keyof typeof SCHEMAS, part: unknown): void {
  const fields = (part ?? {}) as Readonly<Record<string, unknown>>;
  const name = `the ${kind} ${JSON.stringify(fields["name"]) ?? "without a name"}`;
  const schema: JsonObject = SCHEMAS[kind];
  const data = Object.keys(schema["properties"] as JsonObject).map((key) => [key, fields[key]]);
  try {
    parseDocument(schema, Object.fromEntries(data), { name });
  } catch (error) {
    throw badPart(errorMessage(error));
  }
  if (typeof fields["run"] !== "function") throw badPart(`${name} needs a function run`);
}

function badPart(message: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { details: { reason: "bad_schema" } });
}

/** Returns true for a valid name of an extension. */
export function isWord(name: string): boolean {
  return new RegExp(PATTERN).test(name);
}
