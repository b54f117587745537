import { writeSync } from "node:fs";
import { systemCode } from "../../system/paths/file-fault.ts";

const STDOUT = 1;
const RETRY_MS = 5;

/** Writes the whole text to standard output, waiting for a slow reader, and gives the exit code: 1 where nobody takes it. */
export function writeAll(text: string): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(STDOUT, bytes, written);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") return 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return 0;
}
