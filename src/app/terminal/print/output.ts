/** What is printed. Writing waits for a slow reader; a reader that has gone away is no error. */
export interface Output {
  /** Writes to standard output and settles when it is handed over. Never rejects. */
  print(text: string): Promise<void>;
  /** Writes one line to standard error. */
  readonly log: (line: string) => void;
  /** Aborted when standard output can take no more. */
  readonly closed: AbortSignal;
  /** Why standard output could take no more, where that is an error: a full disk, not a closed pipe. */
  fault(): string | undefined;
}

/** The two streams as one thing to print on. */
export function createOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  const closing = new AbortController();
  let fault: string | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fault ??= error.message;
    closing.abort();
  });
  // Nobody is left to be told that nobody is left.
  stderr.on("error", () => undefined);
  return {
    closed: closing.signal,
    fault: () => fault,
    print: (text) =>
      new Promise((resolve) => {
        if (closing.signal.aborted) resolve();
        else stdout.write(text, () => resolve());
      }),
    log: (line) => void stderr.write(`${line}\n`),
  };
}
