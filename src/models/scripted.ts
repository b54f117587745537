import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError, ERROR_CODES, type ErrorCode } from "../core/errors.ts";
import { readDocument } from "../system/files/read-document.ts";
import type { AssistantPart, Message } from "../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, Usage } from "../core/agent/model.ts";
import { reasonOf } from "./providers/answer.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import { throwIfCancelled } from "./providers/with-retries.ts";
import { checkOptions } from "../util/json/check-options.ts";
import { textOf } from "../util/text/text-of.ts";
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

const WINDOW = 128_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Opens a model that answers with the lines of a file, one per request. Needs no network and no key. */
export function openScriptedModel(
  path: string,
  { folder = "", ...options }: Pick<ModelOptions, "window" | "price" | "folder">,
): Model {
  return playScript(readScript(path, folder), path, options);
}

/** Creates a model that answers with the lines of a script; `path` is its name. */
export function playScript(
  script: string,
  path: string,
  { window = WINDOW, price }: Pick<ModelOptions, "window" | "price"> = {},
): Model {
  return playing(parseScript(script, path), { name: path, window, price });
}

/** One answer of a scripted model: a line of a script, as an object. */
export type ScriptedAnswer = Infer<typeof LINE>;

/** A model that needs no network, and the requests that it received. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** Creates a model that gives these answers, one per request, and fails after the last. Throws INVALID_INPUT if one is invalid. */
export function createScriptedModel(
  given: readonly ScriptedAnswer[],
  options: Pick<ModelOptions, "window" | "price"> = {},
): ScriptedModel {
  checkOptions("createScriptedModel", options, { window: "a positive number", price: "an object" });
  const { window = WINDOW, price } = options;
  const parse = createDocumentParser(LINE);
  const answers = given.map((answer, index) => {
    const at = `answer ${index + 1}`;
    return toAnswer(parse(answer, at), at);
  });
  const model = playing(checkAnswers(answers, "answers"), { name: "answers", window, price });
  const requests: ModelRequest[] = [];
  return {
    ...model,
    requests,
    stream(request) {
      requests.push(request);
      return model.stream(request);
    },
  };
}

interface Script extends Pick<Model, "window" | "price"> {
  readonly name: string;
}

function playing(answers: readonly PlacedAnswer[], { name, window, price }: Script): Model {
  let requests = 0;
  return {
    id: `scripted/${name}`,
    format: "openai",
    window,
    price,
    stream: (request) => {
      requests += 1;
      return play(answers, requests - 1, request, name);
    },
  };
}

function readScript(path: string, folder: string): string {
  const bytes = readDocument(resolve(folder, path), { maxBytes: MAX_BYTES });
  if (bytes !== undefined) return bytes.toString("utf8");
  throw new ToolError("INVALID_INPUT", `cannot read the script ${path} (ENOENT)`);
}

function answerAt(answers: readonly PlacedAnswer[], index: number, path: string): PlacedAnswer {
  const last = answers.at(-1);
  const answer = answers[index] ?? (last?.repeat === true ? last : undefined);
  if (answer !== undefined) return answer;
  throw new ToolError("MODEL_FAILED", `the script ${path} is over`, {
    hint: 'add an answer, or "repeat": true to the last one',
  });
}

async function* play(
  answers: readonly PlacedAnswer[],
  index: number,
  request: ModelRequest,
  path: string,
): AsyncIterable<ModelPart> {
  throwIfCancelled(request.signal);
  const answer = answerAt(answers, index, path);
  checkLastMessage(answer, request);
  await wait(answer.delayMs ?? 0, undefined, { signal: request.signal }).catch(() => undefined);
  throwIfCancelled(request.signal);
  if (answer.error !== undefined) throw new ToolError(answer.error.code, answer.error.message);
  for (const type of ["reasoning", "text"] as const) {
    for (const text of deltasOf(answer[type] ?? "")) {
      yield { type, text };
      throwIfCancelled(request.signal);
    }
  }
  const parts = partsOf(answer, index);
  yield* inputPieces(parts, request);
  const reason = reasonOf(answer.reason ?? "stop", parts);
  yield { type: "done", parts, reason, usage: answer.usage ?? estimate(request, answer) };
}

/** Yields the inputs of calls in pieces, as a model writes them, for the tools that want them. */
function* inputPieces(
  parts: readonly AssistantPart[],
  { streamsInput = [] }: ModelRequest,
): Iterable<ModelPart> {
  for (const part of parts) {
    if (part.type !== "call" || !streamsInput.includes(part.call.name)) continue;
    const { id: callId, name, input } = part.call;
    for (const text of deltasOf(JSON.stringify(input))) yield { type: "input", callId, name, text };
  }
}

function checkLastMessage({ at, when }: PlacedAnswer, { messages }: ModelRequest): void {
  const last = messages.at(-1);
  const text = last === undefined ? "" : messageText(last);
  if (when === undefined || text.includes(when)) return;
  throw new ToolError("MODEL_FAILED", `${at}: the last message does not contain ${JSON.stringify(when)}`, {
    hint: `it is ${JSON.stringify(text.slice(0, 200))}`,
  });
}

function messageText(message: Message): string {
  if (message.role === "assistant") return textOf(message.parts);
  const contents =
    message.role === "user" ? message.content : message.results.flatMap(({ content }) => content);
  return textOf(contents);
}

/** Splits a text into short deltas, as a model streams it. */
function deltasOf(text: string): readonly string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}

function partsOf({ reasoning, text, calls = [] }: PlacedAnswer, index: number): readonly AssistantPart[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning } as const]),
    ...(text === undefined || text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map(({ id, ...call }, place) => ({
      type: "call" as const,
      call: { id: id ?? `call_${index + 1}_${place + 1}`, ...call },
    })),
  ];
}

/** Estimates usage at four characters per token, so that budgets and compaction work without a model. */
function estimate(
  { instructions, messages }: ModelRequest,
  { text = "", reasoning = "", calls = [] }: PlacedAnswer,
): Usage {
  const inputLength =
    instructions.length + messages.reduce((sum, message) => sum + messageText(message).length, 0);
  const outputLength =
    text.length + reasoning.length + (calls.length === 0 ? 0 : JSON.stringify(calls).length);
  return { inputTokens: Math.ceil(inputLength / 4), outputTokens: Math.ceil(outputLength / 4) };
}

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
interface PlacedAnswer extends Omit<Infer<typeof LINE>, "error"> {
  /** `file:line`. */
  readonly at: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** Parses a script: one JSON object per line, blank lines allowed. Throws INVALID_INPUT with the line that is wrong. */
function parseScript(script: string, path: string): readonly PlacedAnswer[] {
  const lines = script.split("\n").map((line, index) => ({ line, at: `${path}:${index + 1}` }));
  const parse = createDocumentParser(LINE);
  const answers = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, at }) => toAnswer(parse(parseJson(line, at), at), at));
  return checkAnswers(answers, `the script ${path}`);
}

function checkAnswers(answers: readonly PlacedAnswer[], what: string): readonly PlacedAnswer[] {
  if (answers.length === 0) throw new ToolError("INVALID_INPUT", `${what}: there is no answer`);
  const early = answers.slice(0, -1).find(({ repeat }) => repeat === true);
  if (early !== undefined)
    throw new ToolError("INVALID_INPUT", `${early.at}: only the last answer can have "repeat"`);
  return answers;
}

function toAnswer({ error, ...answer }: Infer<typeof LINE>, at: string): PlacedAnswer {
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
