import { isUtf8 } from "node:buffer";
import { fstatSync, readSync, writeSync } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { jsonFault } from "../../util/json/json-fault.ts";
import type { Program } from "./program.ts";

const STDIN = 0;
const STDOUT = 1;
const MAX_MB = 64;
const CHUNK_BYTES = 64 * 1024;
const RETRY_MS = 5;

/** Reads the call from standard input, synchronously: loading streams would dominate the start time. Throws `INVALID_INPUT`. */
export function readCall({ name, example }: Program): Json {
  const hint = `pipe one JSON object into it: echo '${JSON.stringify(example)}' | ${name}; see --help`;
  if (isTerminal()) throw new ToolError("INVALID_INPUT", "standard input is a terminal", { hint });
  const bytes = readStdin();
  if (!isUtf8(bytes)) throw new ToolError("INVALID_INPUT", "standard input is not UTF-8 text");
  // A byte order mark is no part of the text.
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") throw new ToolError("INVALID_INPUT", "standard input is empty", { hint });
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const message = `standard input is not one JSON value: ${jsonFault(cause)}`;
    throw new ToolError("INVALID_INPUT", message, { hint, cause });
  }
}

function isTerminal(): boolean {
  try {
    if (!fstatSync(STDIN).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(STDIN);
}

function readStdin(): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readChunk(chunk);
    if (count === 0) return Buffer.concat(chunks);
    total += count;
    if (total > MAX_MB * 1024 * 1024)
      throw new ToolError("INVALID_INPUT", `standard input is over ${MAX_MB} MB`);
    chunks.push(chunk.subarray(0, count));
  }
}

function readChunk(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, chunk);
    } catch (cause) {
      const code = systemCode(cause);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN")
        throw new ToolError("INVALID_INPUT", `standard input cannot be read: ${code ?? "unknown"}`, {
          cause,
        });
      // Another process that shares the pipe has made it non-blocking.
      sleep();
    }
  }
}

/** Writes the whole text to standard output, waiting for a slow reader. Returns the exit code: 1 if the reader has gone. */
export function writeAll(text: string): number {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += writeSync(STDOUT, bytes, offset);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") return 1;
      sleep();
    }
  }
  return 0;
}

function sleep(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}
