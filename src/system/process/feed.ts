import type { ChildProcess } from "node:child_process";
import { Duplex, type Writable } from "node:stream";
import { drained } from "../../util/async/drained.ts";

/** What a program reads: a text, bytes, chunks of text, a file descriptor, or a function that writes and ends the input. */
export type StandardInput =
  | string
  | Uint8Array
  | number
  | AsyncIterable<string>
  | ((input: Writable) => void);

/** Behind the standard input and outputs. */
export const FIRST_INPUT = 3;

/** Writes a further input. This process neither waits for its reader nor runs longer because of it. */
export function feedExtra(stream: ChildProcess["stdio"][number] | undefined, input: Uint8Array): void {
  if (!(stream instanceof Duplex)) return;
  stream.on("error", () => undefined);
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
  stream.resume();
  stream.end(input);
}

/** Writes the standard input and ends it. */
export function feed(child: ChildProcess, stdin: StandardInput | undefined): void {
  if (stdin === undefined || typeof stdin === "number" || child.stdin === null) return;
  const input = child.stdin;
  // A program may end without reading its input.
  input.on("error", () => undefined);
  if (typeof stdin === "function") return stdin(input);
  const pieces = typeof stdin === "string" || stdin instanceof Uint8Array ? [stdin] : stdin;
  writeAll(pieces, input).then(
    () => input.end(),
    () => input.destroy(),
  );
}

async function writeAll(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  input: Writable,
): Promise<void> {
  for await (const piece of pieces) {
    if (input.destroyed) return;
    if (!input.write(piece)) await drained(input);
  }
}
