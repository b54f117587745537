import { addAbortSignal } from "node:stream";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Yields standard input in chunks, until it ends or the signal is aborted. */
export async function* readStdin(stdin: NodeJS.ReadStream, signal?: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of signal === undefined ? stdin : addAbortSignal(signal, stdin))
      yield Buffer.from(chunk as Buffer);
  } catch (error) {
    if (signal?.aborted === true) return;
    const reason = errorMessage(error);
    throw new ToolError("INVALID_INPUT", `standard input cannot be read: ${reason}`, { cause: error });
  }
}

/** Returns all of standard input as text. Throws above 64 MB and if it is not UTF-8. */
export async function readStdinText(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readStdin(stdin)) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES) throw new ToolError("INVALID_INPUT", "standard input is over 64 MB");
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new ToolError("INVALID_INPUT", "standard input is not UTF-8 text", { cause: error });
  }
}

/** A line of input without its line break, or why it is invalid. */
export type InputLine = { readonly text: string } | { readonly fault: string };

const NEWLINE = 0x0a;

/** Yields the lines of a stream; reads on only when the last line was taken. A line longer than `maxBytes` is skipped without being buffered. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): InputLine => {
    const line = bytes > maxBytes ? tooLong(bytes, maxBytes) : decode(Buffer.concat(parts));
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk as Uint8Array);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      keep(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      yield take();
    }
    if (rest.length > 0) keep(rest);
  }
  if (bytes > 0) yield take();
}

function decode(line: Buffer): InputLine {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(line) };
  } catch {
    return { fault: "it is not UTF-8 text" };
  }
}

function tooLong(bytes: number, maxBytes: number): InputLine {
  return { fault: `it is ${bytes} bytes long, over the limit of ${maxBytes}` };
}

/** Resolves with true as soon as a stream has data or ends, and with false if it does neither within the time. */
export function hasStarted(stdin: NodeJS.ReadStream, silenceMs: number): Promise<boolean> {
  if (stdin.readableLength > 0 || stdin.readableEnded) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isStarted: boolean): void => {
      clearTimeout(timer);
      for (const event of EVENTS) stdin.off(event, started);
      resolve(isStarted);
    };
    const started = (): void => settle(true);
    const timer = setTimeout(() => settle(false), silenceMs);
    for (const event of EVENTS) stdin.on(event, started);
  });
}

/** Resolves with true if a stream has data within the time. */
export async function hasText(stdin: NodeJS.ReadStream, silenceMs: number): Promise<boolean> {
  return (await hasStarted(stdin, silenceMs)) && String(stdin.read() ?? "").trim() !== "";
}

const EVENTS = ["readable", "end", "error"] as const;
