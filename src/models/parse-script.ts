import type { ErrorCode } from "../core/errors.ts";
import { isErrorCode, ToolError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { isObject } from "../core/json.ts";
import type { StopReason, Usage } from "../core/agent/model.ts";

export interface ScriptedCall {
  readonly name: string;
  readonly input: Json;
  readonly id?: string;
  readonly unreadable?: string;
}

/** One answer of a script, with its place in the file. */
export interface ScriptedAnswer {
  /** `file:line`. */
  readonly at: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** What the last message must contain. */
  readonly when?: string;
  readonly usage?: Usage;
  readonly reason?: StopReason;
  readonly delayMs?: number;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  /** Of the last line: it is said from then on. */
  readonly repeat?: boolean;
  /** There is no such answer: all were given. */
  readonly isOver?: boolean;
}

type Check = (value: Json) => string | undefined;

const text: Check = (value) => (typeof value === "string" ? undefined : "a text");
const count: Check = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? undefined
    : "a whole number of 0 or more";
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const REASONS = ["stop", "calls", "length", "refused", "other"];

/** The fields of a line, and what each must be. */
const FIELDS: Readonly<Record<string, Check>> = {
  text,
  reasoning: text,
  when: text,
  delayMs: count,
  repeat: flag,
  reason: (value) =>
    REASONS.some((reason) => reason === value) ? undefined : `one of ${REASONS.join(", ")}`,
  calls: (value) =>
    Array.isArray(value) && value.every(isCall)
      ? undefined
      : 'a list of {"name", "input", "id"?, "unreadable"?}',
  usage: (value) =>
    isUsage(value) ? undefined : '{"inputTokens", "outputTokens", "cachedTokens"?, "reasoningTokens"?}',
  error: (value) => (isError(value) ? undefined : 'a text, or {"code", "message"} with a code of ours'),
};

/** The answers of a script: one JSON object a line, empty lines left out. Throws INVALID_INPUT with the line that is wrong. */
export function parseScript(script: string, path: string): readonly ScriptedAnswer[] {
  const lines = script.split("\n").map((line, index) => ({ line: line.trim(), at: `${path}:${index + 1}` }));
  const answers = lines.filter(({ line }) => line !== "").map(({ line, at }) => parseLine(line, at));
  if (answers.length === 0) throw new ToolError("INVALID_INPUT", `the script ${path} has no answer`);
  const early = answers.slice(0, -1).find(({ repeat }) => repeat === true);
  if (early !== undefined)
    throw new ToolError("INVALID_INPUT", `${early.at}: only the last line can have "repeat"`);
  return answers;
}

function parseLine(line: string, at: string): ScriptedAnswer {
  const value = parseObject(line, at);
  for (const [key, given] of Object.entries(value)) {
    const check = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
    if (check === undefined)
      throw new ToolError("INVALID_INPUT", `${at}: an answer has no ${JSON.stringify(key)}`, {
        hint: `it may have ${Object.keys(FIELDS).join(", ")}`,
      });
    const wanted = check(given);
    if (wanted !== undefined)
      throw new ToolError("INVALID_INPUT", `${at}: ${JSON.stringify(key)} must be ${wanted}`);
  }
  const { error } = value;
  const fault = typeof error === "string" ? { code: "MODEL_FAILED", message: error } : error;
  return { at, ...value, ...(fault !== undefined && { error: fault }) } as unknown as ScriptedAnswer;
}

function parseObject(line: string, at: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch (error) {
    throw new ToolError("INVALID_INPUT", `${at}: the line is not JSON`, { cause: error });
  }
  throw new ToolError("INVALID_INPUT", `${at}: the line is not a JSON object`);
}

function isCall(value: Json): boolean {
  if (!isObject(value) || typeof value["name"] !== "string" || value["input"] === undefined) return false;
  const { name: _name, input: _input, ...rest } = value;
  return Object.entries(rest).every(
    ([key, given]) => ["id", "unreadable"].includes(key) && typeof given === "string",
  );
}

const COUNTS: ReadonlySet<string> = new Set([
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "reasoningTokens",
]);

function isUsage(value: Json): boolean {
  if (!isObject(value) || value["inputTokens"] === undefined || value["outputTokens"] === undefined)
    return false;
  return Object.entries(value).every(([key, given]) => COUNTS.has(key) && count(given) === undefined);
}

function isError(value: Json): boolean {
  if (typeof value === "string") return true;
  return isObject(value) && isErrorCode(value["code"]) && typeof value["message"] === "string";
}
