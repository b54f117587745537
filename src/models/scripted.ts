import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../core/errors.ts";
import type { AssistantPart, Message } from "../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, Usage } from "../core/agent/model.ts";
import { reasonOf } from "./providers/answer.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import type { ScriptedAnswer } from "./parse-script.ts";
import { parseScript } from "./parse-script.ts";
import { throwIfCancelled } from "./providers/with-retries.ts";
import { textOf } from "../util/text/text-of.ts";

const WINDOW = 128_000;

/** A model that says what a transcript file has it say, one line an answer, whoever asks. Needs no network and no key. */
export async function openScriptedModel(
  path: string,
  { window = WINDOW, price }: Pick<ModelOptions, "window" | "price">,
): Promise<Model> {
  const answers = parseScript(await readScript(path), path);
  let asked = 0;
  return {
    id: `scripted/${path}`,
    format: "openai",
    window,
    price,
    stream: (request) => {
      const index = asked;
      asked += 1;
      return say(answerAt(answers, index, path), request, index);
    },
  };
}

async function readScript(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as { readonly code?: string };
    throw new ToolError("INVALID_INPUT", `the script ${path} cannot be read (${code ?? "no reason given"})`, {
      cause: error,
    });
  }
}

function answerAt(answers: readonly ScriptedAnswer[], index: number, path: string): ScriptedAnswer {
  const last = answers.at(-1);
  const found = answers[index] ?? (last?.repeat === true ? last : undefined);
  return found ?? { at: path, isOver: true };
}

async function* say(answer: ScriptedAnswer, request: ModelRequest, index: number): AsyncIterable<ModelPart> {
  throwIfCancelled(request.signal);
  checkIsExpected(answer, request);
  await wait(answer.delayMs ?? 0, undefined, { signal: request.signal }).catch(() => undefined);
  throwIfCancelled(request.signal);
  if (answer.error !== undefined) throw new ToolError(answer.error.code, answer.error.message);
  for (const type of ["reasoning", "text"] as const) {
    for (const text of inPieces(answer[type] ?? "")) {
      yield { type, text };
      throwIfCancelled(request.signal);
    }
  }
  const parts = partsOf(answer, index);
  const reason = reasonOf(answer.reason ?? "stop", parts);
  yield { type: "done", parts, reason, usage: answer.usage ?? estimate(request, answer) };
}

function checkIsExpected({ at, when, isOver }: ScriptedAnswer, { messages }: ModelRequest): void {
  if (isOver === true)
    throw new ToolError("MODEL_FAILED", `the script ${at} is over`, {
      hint: 'add a line, or "repeat": true to the last one',
    });
  const last = messages.at(-1);
  const text = last === undefined ? "" : messageText(last);
  if (when === undefined || text.includes(when)) return;
  throw new ToolError("MODEL_FAILED", `${at}: the last message was to contain ${JSON.stringify(when)}`, {
    hint: `it is ${JSON.stringify(text.slice(0, 200))}`,
  });
}

function messageText(message: Message): string {
  if (message.role === "assistant") return textOf(message.parts);
  const contents =
    message.role === "user" ? message.content : message.results.flatMap(({ content }) => content);
  return textOf(contents);
}

/** A few characters at a time, as a model would. */
function inPieces(text: string): readonly string[] {
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

/** Four characters a token: so that budgets and compaction can be shown without a model. */
function estimate(
  { instructions, messages }: ModelRequest,
  { text = "", reasoning = "", calls = [] }: ScriptedAnswer,
): Usage {
  const heard = instructions.length + messages.reduce((sum, message) => sum + messageText(message).length, 0);
  const said = text.length + reasoning.length + (calls.length === 0 ? 0 : JSON.stringify(calls).length);
  return { inputTokens: Math.ceil(heard / 4), outputTokens: Math.ceil(said / 4) };
}
