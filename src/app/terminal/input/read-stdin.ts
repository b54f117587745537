import { addAbortSignal } from "node:stream";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Yields standard input in chunks, until it ends or the signal is aborted. */
export async function* readStdin(stdin: NodeJS.ReadStream, signal?: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of signal === undefined ? stdin : addAbortSignal(signal, stdin)) {
      yield Buffer.from(chunk as Buffer);
    }
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
