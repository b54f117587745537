import { ERROR_CODES, ToolError, type ErrorCode } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import {
  boolean,
  integer,
  list,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type Schema,
} from "../schema/define/schema.ts";
import { createDocumentParser } from "../schema/parse-document.ts";

const count = (): Schema<number> => integer(undefined, { min: 0 });
const anything: Schema<Json> = {};

/** One line of a script. */
const LINE = object({
  text: optional(string()),
  reasoning: optional(string()),
  calls: optional(
    list(
      object({
        name: string(),
        input: anything,
        id: optional(string()),
        unreadable: optional(string()),
      }),
    ),
  ),
  when: optional(string("Text that the last message must contain")),
  usage: optional(
    object({
      inputTokens: count(),
      outputTokens: count(),
      cachedTokens: optional(count()),
      reasoningTokens: optional(count()),
    }),
  ),
  reason: optional(oneOf(["stop", "calls", "length", "refused", "other"])),
  delayMs: optional(count()),
  error: optional(
    oneOf([
      string(),
      object({ code: oneOf(Object.keys(ERROR_CODES) as readonly ErrorCode[]), message: string() }),
    ]),
  ),
  repeat: optional(boolean("Last line only: repeats it for all further requests")),
});

/** One answer of a script, with its position in the file. */
export interface ScriptedAnswer extends Omit<Infer<typeof LINE>, "error"> {
  /** `file:line`. */
  readonly at: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** Parses a script: one JSON object per line, blank lines allowed. Throws INVALID_INPUT with the line that is wrong. */
export function parseScript(script: string, path: string): readonly ScriptedAnswer[] {
  const lines = script.split("\n").map((line, index) => ({ line, at: `${path}:${index + 1}` }));
  const parse = createDocumentParser(LINE);
  const answers = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, at }) => toAnswer(parse(parseJson(line, at), at), at));
  if (answers.length === 0) throw new ToolError("INVALID_INPUT", `the script ${path} has no answer`);
  const early = answers.slice(0, -1).find(({ repeat }) => repeat === true);
  if (early !== undefined)
    throw new ToolError("INVALID_INPUT", `${early.at}: only the last line can have "repeat"`);
  return answers;
}

function toAnswer({ error, ...answer }: Infer<typeof LINE>, at: string): ScriptedAnswer {
  if (error === undefined) return { at, ...answer };
  return {
    at,
    ...answer,
    error: typeof error === "string" ? { code: "MODEL_FAILED", message: error } : error,
  };
}

function parseJson(line: string, at: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new ToolError("INVALID_INPUT", `${at}: the line is not JSON`, { cause: error });
  }
}
