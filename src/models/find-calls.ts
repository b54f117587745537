import type { AssistantPart } from "../core/agent/message.ts";
import type { ModelPart } from "../core/agent/model.ts";
import { newCallId, reasonOf } from "./providers/answer.ts";
import type { TextReaderOptions } from "./text-calls/create-text-reader.ts";
import { createTextReader } from "./text-calls/create-text-reader.ts";
import type { Piece } from "./text-calls/text/piece.ts";

type Done = Extract<ModelPart, { readonly type: "done" }>;
type TextPart = Extract<AssistantPart, { readonly type: "text" }>;

/** The name of a call that could not be read so far as to have one. */
const NAMELESS = "unreadable_call";

/** An answer whose calls, and what was meant as calls, are taken out of its text. Text is given on as soon as it is known to be text. */
export async function* findCalls(
  answer: AsyncIterable<ModelPart>,
  options: TextReaderOptions,
): AsyncIterable<ModelPart> {
  const reader = createTextReader(options);
  for await (const part of answer) {
    if (part.type === "text") yield* shown(reader.push(part.text));
    else if (part.type === "done") {
      yield* shown(reader.end(endOf(part.reason === "length")));
      yield withCalls(part, options);
    } else yield part;
  }
}

function* shown(pieces: readonly Piece[]): Iterable<ModelPart> {
  for (const piece of pieces) if (piece.kind === "text") yield { type: "text", text: piece.text };
}

/** Each text is read again whole, so that calls stand in their places among the other parts. */
function withCalls(done: Done, options: TextReaderOptions): Done {
  const lastText = done.parts.findLastIndex(({ type }) => type === "text");
  const parts = done.parts.flatMap((part, index) =>
    part.type === "text" ? split(part, options, done.reason === "length" && index === lastText) : [part],
  );
  return { ...done, parts, reason: reasonOf(done.reason, parts) };
}

function split(part: TextPart, options: TextReaderOptions, isCut: boolean): readonly AssistantPart[] {
  const reader = createTextReader(options);
  const pieces = [...reader.push(part.text), ...reader.end(endOf(isCut))];
  if (pieces.every(({ kind }) => kind === "text")) return [part];
  return joined(pieces).map(toPart);
}

function endOf(isCut: boolean): "length" | "stop" {
  return isCut ? "length" : "stop";
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.kind === "text" && last?.kind === "text")
      result.splice(-1, 1, { kind: "text", text: last.text + piece.text });
    else result.push(piece);
  }
  return result;
}

/** Calls in text get ids of their own: those that some dialects write begin anew with each message. */
function toPart(piece: Piece): AssistantPart {
  if (piece.kind === "text") return { type: "text", text: piece.text };
  const id = newCallId();
  if (piece.kind === "call")
    return { type: "call", call: { id, name: piece.call.name, input: piece.call.input } };
  return { type: "call", call: { id, name: NAMELESS, input: piece.text, unreadable: piece.message } };
}
