import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../core/errors.ts";
import { readDocument } from "../system/files/read-document.ts";
import type { AssistantPart, Message } from "../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, Usage } from "../core/agent/model.ts";
import { reasonOf } from "./providers/answer.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import { throwIfCancelled } from "./providers/with-retries.ts";
import { checkOptions } from "../util/json/check-options.ts";
import { textOf } from "../util/text/text-of.ts";
import { createDocumentParser } from "../schema/parse-document.ts";
import {
  parseScript,
  type ScriptedAnswer,
  LINE,
  toAnswer,
  checkAnswers,
  type PlacedAnswer,
} from "./scripted-answers.ts";

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

/** A model that needs no network, and the requests that it received. */
export interface ScriptedModel extends Model {
  /** In the order in which they came. */
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
