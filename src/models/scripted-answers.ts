import { ToolError, ERROR_CODES, type ErrorCode } from "../core/errors.ts";
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

/** One answer of a scripted model: a line of a script, as an object. */
export type ScriptedAnswer = Infer<typeof LINE>;

const count = (): Schema<number> => integer(undefined, { min: 0 });

const anything: Schema<Json> = {};

/** One line of a script. */
export const LINE = object({
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
export interface PlacedAnswer extends Omit<Infer<typeof LINE>, "error"> {
  /** `file:line`. */
  readonly at: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** Parses a script: one JSON object per line, blank lines allowed. Throws INVALID_INPUT with the line that is wrong. */
export function parseScript(script: string, path: string): readonly PlacedAnswer[] {
  const lines = script.split("\n").map((line, index) => ({ line, at: `${path}:${index + 1}` }));
  const parse = createDocumentParser(LINE);
  const answers = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, at }) => toAnswer(parse(parseJson(line, at), at), at));
  return checkAnswers(answers, `the script ${path}`);
}

/** Returns the answers. Throws if there is none, or if one before the last repeats. */
export function checkAnswers(answers: readonly PlacedAnswer[], what: string): readonly PlacedAnswer[] {
  if (answers.length === 0) throw new ToolError("INVALID_INPUT", `${what}: there is no answer`);
  const early = answers.slice(0, -1).find(({ repeat }) => repeat === true);
  if (early !== undefined)
    throw new ToolError("INVALID_INPUT", `${early.at}: only the last answer can have "repeat"`);
  return answers;
}

/** Returns the answer of a line, with its place for errors. */
export function toAnswer({ error, ...answer }: Infer<typeof LINE>, at: string): PlacedAnswer {
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
