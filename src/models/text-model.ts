import type { ToolCall } from "../core/call.ts";
import type { Content } from "../core/content.ts";
import { isObject } from "../core/json.ts";
import type { AssistantMessage, AssistantPart, Message, ToolMessage } from "../core/agent/message.ts";
import {
  withStream,
  type Model,
  type ModelPart,
  type ModelRequest,
  type ToolUse,
} from "../core/agent/model.ts";
import { checkOptions, type OptionKinds } from "../util/json/check-options.ts";
import { defined } from "../util/json/defined.ts";
import { joinAdjacent } from "./providers/join-adjacent.ts";
import { newCallId, reasonOf } from "./providers/answer.ts";
import { createTextReader, type TextReaderOptions } from "./text-calls/create-text-reader.ts";
import { dialectOf, type DialectName } from "./text-calls/dialects/dialects.ts";
import type { EndReason } from "./text-calls/read/context.ts";
import type { Piece } from "./text-calls/read/emitter.ts";
import { renderCalls, renderPrompt, renderResults } from "./text-calls/write/render.ts";

/** The dialect that `auto` writes: most models have seen it. */
const DEFAULT_DIALECT: DialectName = "hermes";
/** The name of an unreadable call. */
const NO_NAME = "unreadable_call";

/** `startsInReasoning`: the prompt opens the reasoning, so that an answer begins inside it, unless its server sends reasoning apart. `repair`: whether damaged calls are repaired. */
export type TextCallOptions = Pick<TextReaderOptions, "startsInReasoning" | "repair">;

const KINDS: OptionKinds<TextCallOptions> = {
  startsInReasoning: "true or false",
  repair: "true or false",
};

/**
 * Gives a model without native calls the ability to call: its instructions list the tools, calls are read from its text, and calls and
 * results are sent back as text. The model itself is never offered a tool. Throws INVALID_INPUT for an unknown dialect.
 */
export function withTextCalls(
  model: Model,
  dialect: DialectName | "auto",
  options: TextCallOptions = {},
): Model {
  checkOptions("withTextCalls", options, KINDS);
  const callDialect = dialect === "auto" ? DEFAULT_DIALECT : dialect;
  dialectOf(callDialect);
  return withStream(model, (request) => {
    const answer = model.stream(toTextRequest(request, callDialect));
    const { tools } = request;
    return tools.length === 0 ? answer : findCalls(answer, { ...options, dialect, tools });
  });
}

/** Finds calls that a model with native calls writes into its text. */
export function withLeakedCalls(model: Model, options: TextCallOptions = {}): Model {
  return withStream(model, (request) => {
    const { tools } = request;
    if (tools.length === 0) return model.stream(request);
    return findCalls(model.stream(request), { ...options, dialect: "auto", tools });
  });
}

type Done = Extract<ModelPart, { readonly type: "done" }>;

/** Moves calls, readable or not, out of the text of an answer. Text is yielded as soon as it is certain to be text. */
async function* findCalls(
  answer: AsyncIterable<ModelPart>,
  given: TextReaderOptions,
): AsyncIterable<ModelPart> {
  let options = given;
  let reader = createTextReader(options);
  const pieces: Piece[] = [];
  let streamed = "";
  const textsOf = function* (found: readonly Piece[]): Iterable<ModelPart> {
    pieces.push(...found);
    for (const piece of found) if (piece.kind === "text") yield { type: "text", text: piece.text };
  };
  for await (const part of answer) {
    if (part.type === "text") {
      streamed += part.text;
      yield* textsOf(reader.push(part.text));
    } else if (part.type === "done") {
      yield* textsOf(reader.end(part.reason === "length" ? "length" : "stop"));
      yield toDone(part, (text, reason) => (text === streamed ? pieces : readPieces(text, reason, options)));
    } else {
      const isApart = part.type === "reasoning" && options.startsInReasoning === true && streamed === "";
      if (isApart) reader = createTextReader((options = { ...given, startsInReasoning: false }));
      yield part;
    }
  }
}

/** Replaces each text by its pieces. The only text of an answer was read while it was streamed, and is not read again. */
function toDone(done: Done, read: (text: string, reason: EndReason) => readonly Piece[]): Done {
  const lastText = done.parts.findLastIndex(({ type }) => type === "text");
  const parts = done.parts.flatMap((part, index) => {
    if (part.type !== "text") return [part];
    const pieces = read(part.text, done.reason === "length" && index === lastText ? "length" : "stop");
    return pieces.every(({ kind }) => kind === "text") ? [part] : joinTexts(pieces).map(toPart);
  });
  return { ...done, parts, reason: reasonOf(done.reason, parts) };
}

function readPieces(text: string, reason: EndReason, options: TextReaderOptions): readonly Piece[] {
  const reader = createTextReader(options);
  return [...reader.push(text), ...reader.end(reason)];
}

function joinTexts(pieces: readonly Piece[]): readonly Piece[] {
  return joinAdjacent(pieces, (last, next) =>
    last.kind === "text" && next.kind === "text" ? { kind: "text", text: last.text + next.text } : undefined,
  );
}

/** Gives calls new ids: those that some dialects write restart with each message. */
function toPart(piece: Piece): AssistantPart {
  if (piece.kind === "text") return { type: "text", text: piece.text };
  const id = newCallId();
  if (piece.kind === "call") {
    const { name, input, repair } = piece.call;
    return { type: "call", call: defined({ id, name, input, repaired: repair }) };
  }
  return { type: "call", call: { id, name: NO_NAME, input: piece.text, unreadable: piece.message } };
}

function toTextRequest(request: ModelRequest, dialect: DialectName): ModelRequest {
  const { toolUse = "auto", streamsInput: _, ...rest } = request;
  const { instructions, messages } = rest;
  const tools = toolUse === "none" ? [] : rest.tools;
  const parts = [instructions, renderPrompt(dialect, tools), tools.length > 0 ? demandOf(toolUse) : ""];
  return {
    ...rest,
    instructions: parts.filter((text) => text !== "").join("\n\n"),
    messages: messages.map((message) => toTextMessage(message, dialect)),
    tools: [],
  };
}

function demandOf(use: ToolUse): string {
  if (typeof use === "object") return `Your next answer must call the tool ${use.tool}.`;
  return use === "required" ? "Your next answer must call a tool." : "";
}

function toTextMessage(message: Message, dialect: DialectName): Message {
  if (message.role === "assistant") return { role: "assistant", parts: toTextParts(message, dialect) };
  return message.role === "tool" ? { role: "user", content: toTextResults(message, dialect) } : message;
}

function toTextParts({ parts }: AssistantMessage, dialect: DialectName): readonly AssistantPart[] {
  const reasoning = parts.filter(({ type }) => type === "reasoning");
  const texts: string[] = [];
  let calls: ToolCall[] = [];
  const flush = (): void => {
    if (calls.length > 0) texts.push(textOfCalls(calls, dialect));
    calls = [];
  };
  for (const part of parts) {
    if (part.type === "call") calls.push(part.call);
    if (part.type !== "text") continue;
    flush();
    texts.push(part.text);
  }
  flush();
  return [...reasoning, { type: "text", text: texts.filter((text) => text !== "").join("\n") }];
}

/** Writes calls; an unreadable one is sent back as the model wrote it. */
function textOfCalls(calls: readonly ToolCall[], dialect: DialectName): string {
  const readable = calls.filter(({ unreadable }) => unreadable === undefined);
  const raw = calls.flatMap(({ input, unreadable }) => (unreadable === undefined ? [] : [String(input)]));
  const textCalls = readable.map(({ name, input }) => ({ name, input: isObject(input) ? input : {} }));
  return [renderCalls(dialect, textCalls), ...raw].filter((text) => text !== "").join("\n");
}

function toTextResults({ results }: ToolMessage, dialect: DialectName): readonly Content[] {
  const attachments = results.flatMap(({ content }) => content.filter(({ type }) => type !== "text"));
  return [{ type: "text", text: renderResults(dialect, results) }, ...attachments];
}
