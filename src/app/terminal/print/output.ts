import { sanitize } from "../../../util/text/sanitize.ts";
import { visible } from "../../../util/text/visible.ts";

/**
 * Standard output and standard error. Writing waits for a slow reader; a closed pipe is no error. A terminal gets sanitized text, a file
 * or a pipe the exact text.
 */
export interface Output {
  /** Writes to standard output and settles when the text is written. Never rejects. */
  print(text: string): Promise<void>;
  /** Writes one line to standard error. */
  readonly log: (line: string) => void;
  /** Aborted when standard output is closed. */
  readonly closed: AbortSignal;
  /** Returns why standard output failed, such as a full disk; undefined for a closed pipe. */
  fault(): string | undefined;
}

/** Creates the output of two streams. */
export function createOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  const closing = new AbortController();
  const forOutput = stdout.isTTY ? sanitize : asIs;
  const forErrors = stderr.isTTY ? sanitize : asIs;
  let fault: string | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fault ??= error.message;
    closing.abort();
  });
  // There is no place left to report it.
  stderr.on("error", () => undefined);
  return {
    closed: closing.signal,
    fault: () => fault,
    print: (text) =>
      new Promise((resolve) => {
        if (closing.signal.aborted) resolve();
        else stdout.write(forOutput(text), () => resolve());
      }),
    log: (line) => void stderr.write(`${forErrors(line)}\n`),
  };
}

const asIs = (text: string): string => text;

/** Prints one line on standard error about something that was ignored or lost. Control characters become visible. */
export function printWarning(output: Pick<Output, "log">, warning: string): void {
  output.log(`toolwright: warning: ${visible(warning)}`);
}
