import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../core/errors.ts";
import { readDocument } from "../system/files/read-document.ts";
import type { AssistantPart, Message } from "../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, Usage } from "../core/agent/model.ts";
import { reasonOf } from "./providers/answer.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import { parseScript, type ScriptedAnswer } from "./parse-script.ts";
import { throwIfCancelled } from "./providers/with-retries.ts";
import { textOf } from "../util/text/text-of.ts";

const WINDOW = 128_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Opens a model that answers with the lines of a file, one per request. Needs no network and no key. */
export function openScriptedModel(
  path: string,
  { window = WINDOW, price, folder = "" }: Pick<ModelOptions, "window" | "price" | "folder">,
): Model {
  const answers = parseScript(readScript(path, folder), path);
  let requests = 0;
  return {
    id: `scripted/${path}`,
    format: "openai",
    window,
    price,
    stream: (request) => {
      requests += 1;
      return play(answers, requests - 1, request, path);
    },
  };
}

function readScript(path: string, folder: string): string {
  const bytes = readDocument(resolve(folder, path), { maxBytes: MAX_BYTES });
  if (bytes !== undefined) return bytes.toString("utf8");
  throw new ToolError("INVALID_INPUT", `cannot read the script ${path} (ENOENT)`);
}

function answerAt(answers: readonly ScriptedAnswer[], index: number, path: string): ScriptedAnswer {
  const last = answers.at(-1);
  const found = answers[index] ?? (last?.repeat === true ? last : undefined);
  if (found !== undefined) return found;
  throw new ToolError("MODEL_FAILED", `the script ${path} is over`, {
    hint: 'add a line, or "repeat": true to the last one',
  });
}

async function* play(
  answers: readonly ScriptedAnswer[],
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
  const reason = reasonOf(answer.reason ?? "stop", parts);
  yield { type: "done", parts, reason, usage: answer.usage ?? estimate(request, answer) };
}

function checkLastMessage({ at, when }: ScriptedAnswer, { messages }: ModelRequest): void {
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

function partsOf({ reasoning, text, calls = [] }: ScriptedAnswer, index: number): readonly AssistantPart[] {
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
  { text = "", reasoning = "", calls = [] }: ScriptedAnswer,
): Usage {
  const inputLength =
    instructions.length + messages.reduce((sum, message) => sum + messageText(message).length, 0);
  const outputLength =
    text.length + reasoning.length + (calls.length === 0 ? 0 : JSON.stringify(calls).length);
  return { inputTokens: Math.ceil(inputLength / 4), outputTokens: Math.ceil(outputLength / 4) };
}
