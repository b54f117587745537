import type { Writable } from "node:stream";
import { isObject, type JsonObject } from "../core/json.ts";
import { parseJson } from "../util/json/parse-json.ts";
import { createLineReader } from "../util/text/line-reader.ts";
import { errorMessage } from "../util/text/error-message.ts";
import type { Jobs } from "./jobs.ts";
import { MAX_WIRE_BYTES, READY, toLine } from "./wire.ts";

/**
 * Runs the calls that an engine writes to the input, and writes their events to the output: see `EngineLine` and `ServerLine`. A line that is
 * no call is refused, and the next one is read. Resolves when the input has ended. Rejects if it cannot be read.
 */
export function serveLines(jobs: Jobs, input: NodeJS.ReadableStream, output: Writable): Promise<void> {
  const refuse = (id: unknown, reason: string): void =>
    void output.write(toLine(typeof id === "string" ? id : "", "refused", reason));
  const run = async (document: JsonObject): Promise<void> => {
    try {
      const job = jobs.parse(document);
      const format = toLine.bind(undefined, job.id);
      output.write(format("result", await jobs.run(job, { stream: output, format })));
    } catch (error) {
      refuse(document["id"], errorMessage(error));
    }
  };
  return new Promise((resolve, reject) => {
    const read = createLineReader({
      maxCharacters: MAX_WIRE_BYTES,
      onTooLong: () => refuse(undefined, `a line of over ${MAX_WIRE_BYTES} characters was dropped`),
      onLine(line) {
        const message = parseJson(line);
        if (!isObject(message))
          return refuse(undefined, 'a line is not JSON; expected {"tool": NAME, "params": {…}}');
        if (typeof message["cancel"] === "string") return void jobs.cancel(message["cancel"]);
        return void run(message);
      },
    });
    input.setEncoding("utf8");
    input.on("data", (piece) => read(String(piece)));
    input.once("end", resolve).once("error", reject);
    output.write(`${READY}\n`);
  });
}
