import {
  createTextReader,
  type TextReaderOptions,
} from "../../../src/models/text-calls/create-text-reader.ts";
import type { EndReason } from "../../../src/models/text-calls/read/context.ts";
import type { Piece } from "../../../src/models/text-calls/read/emitter.ts";

/** Reads a text that arrives in these chunks, and returns its pieces with adjacent texts joined. */
export function readParts(
  parts: readonly string[],
  options: TextReaderOptions = { dialect: "auto" },
  reason: EndReason = "stop",
): readonly Piece[] {
  const reader = createTextReader(options);
  return joined([...parts.flatMap((part) => reader.push(part)), ...reader.end(reason)]);
}

export function readWhole(text: string, options?: TextReaderOptions, reason?: EndReason): readonly Piece[] {
  return readParts([text], options, reason);
}

/** Returns the calls as names and inputs. */
export function callsOf(pieces: readonly Piece[]): readonly { name: string; input: unknown }[] {
  return pieces.flatMap((piece) =>
    piece.kind === "call" ? [{ name: piece.call.name, input: piece.call.input }] : [],
  );
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
}

/** Cuts a text into chunks of these lengths, repeated as needed. */
export function cut(text: string, lengths: readonly number[]): readonly string[] {
  const parts: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    parts.push(text.slice(at, at + length));
    at += length;
  }
  return parts;
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.kind === "text" && last?.kind === "text") {
      result[result.length - 1] = { kind: "text", text: last.text + piece.text };
    } else result.push(piece);
  }
  return result;
}
