import type { Writable } from "node:stream";
import { createLineReader } from "../util/text/line-reader.ts";
import { errorMessage } from "../util/text/error-message.ts";
import type { Jobs } from "./jobs.ts";
import { MAX_WIRE_BYTES, READY, toLine, type EngineLine } from "./wire.ts";

/**
 * Runs the calls that an engine writes to the input, and writes their events to the output: see `EngineLine` and `ServerLine`.
 * Resolves when the input has ended. Rejects if it cannot be read.
 */
export function serveLines(jobs: Jobs, input: NodeJS.ReadableStream, output: Writable): Promise<void> {
  const run = async (job: Exclude<EngineLine, { readonly cancel: string }>): Promise<void> => {
    const { id } = job;
    const format = toLine.bind(undefined, id);
    try {
      output.write(toLine(id, "result", await jobs.run(jobs.parse(job), { stream: output, format })));
    } catch (error) {
      output.write(toLine(id, "refused", errorMessage(error)));
    }
  };
  return new Promise((resolve, reject) => {
    const read = createLineReader({
      maxCharacters: MAX_WIRE_BYTES,
      onTooLong: () => reject(new Error(`a line is longer than ${MAX_WIRE_BYTES} characters`)),
      onLine(line) {
        const message = JSON.parse(line) as EngineLine;
        if ("cancel" in message) jobs.cancel(message.cancel);
        else void run(message);
      },
    });
    const take = (piece: Buffer | string): void => {
      try {
        read(String(piece));
      } catch (error) {
        reject(error);
      }
    };
    input.setEncoding("utf8");
    input.on("data", take).once("end", resolve).once("error", reject);
    output.write(`${READY}\n`);
  });
}
