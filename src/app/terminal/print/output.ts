import { sanitize } from "../../../util/text/sanitize.ts";
import { visible } from "../../../util/text/visible.ts";
import { DEFAULT_WIDTH, wrapIndented } from "./wrap.ts";
import { createPaint, type Style } from "./paint.ts";

/**
 * Standard output and standard error. Writing waits for a slow reader; a closed pipe is no error. A terminal gets sanitized text, a file
 * or a pipe the exact text.
 */
export interface Output {
  /** Writes to standard output and settles when the text is written. Never rejects. */
  print(text: string, style?: Style): Promise<void>;
  /** Writes text to standard output as it is: text that was drawn for a terminal, and has nothing but styles in it. Never rejects. */
  draw(text: string): Promise<void>;
  /** Writes one line to standard error. */
  readonly log: (line: string, style?: Style) => void;
  /** Writes a line of words to standard error, which a terminal would break within them. What is wrapped is indented by `margin`. */
  readonly logWords: (line: string, style?: Style, margin?: number) => void;
  /** Writes one line to standard error about something that was ignored or lost. Control characters become visible. */
  readonly warn: (warning: string) => void;
  /**
   * Draws a last line on the terminal, in place of the one before; the next text, and an empty line, remove it. Draws nothing below
   * a line that has no end yet.
   */
  readonly status: (line: string) => void;
  /** Aborted when standard output is closed. */
  readonly closed: AbortSignal;
  /** Returns why standard output failed, such as a full disk; undefined for a closed pipe. */
  fault(): string | undefined;
}

const CLEAR = "\r\u{1b}[2K";

/** Creates the output of two streams. Variables of the environment switch colours and the status line off. */
export function createOutput(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  { NO_COLOR: noColour, TERM: kind }: Readonly<Record<string, string | undefined>> = {},
): Output {
  const closing = new AbortController();
  const paint = createPaint({ isColoured: !noColour && kind !== "dumb" });
  const formFor = ({ isTTY }: NodeJS.WriteStream) =>
    isTTY ? (text: string, style?: Style) => paint(style, sanitize(text)) : (text: string) => text;
  const [forOutput, forErrors] = [formFor(stdout), formFor(stderr)];
  const [isTerminal, hasStatusLine] = [stdout.isTTY, stderr.isTTY && kind !== "dumb"];
  let fault: string | undefined;
  let hasStatus = false;
  // The cursor is behind a part of a line, such as an answer that is still streamed.
  let isWithinLine = false;
  const status = (line: string): void => {
    if (!hasStatusLine || isWithinLine || (line === "" && !hasStatus)) return;
    stderr.write(CLEAR + sanitize(line).slice(0, Math.max(10, (stderr.columns || DEFAULT_WIDTH) - 1)));
    hasStatus = line !== "";
  };
  const log: Output["log"] = (line, style) => {
    status("");
    const start = isWithinLine && stderr.isTTY ? "\n" : "";
    if (start !== "") isWithinLine = false;
    stderr.write(`${start}${forErrors(line, style)}\n`);
  };
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") fault ??= error.message;
    closing.abort();
  });
  // There is no place left to report it.
  stderr.on("error", () => undefined);
  const logWords: Output["logWords"] = (line, style, margin) => {
    const lines = stderr.isTTY ? wrapIndented(line, stderr.columns || DEFAULT_WIDTH, margin) : [line];
    log(lines.join("\n"), style);
  };
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      status("");
      if (isTerminal && text !== "") isWithinLine = !text.endsWith("\n");
      if (closing.signal.aborted) resolve();
      else stdout.write(text, () => resolve());
    });
  return {
    status,
    closed: closing.signal,
    fault: () => fault,
    // Only what was drawn has escape sequences that count.
    print: (text, style) => write(forOutput(text, style)),
    draw: write,
    log,
    logWords,
    warn: (warning) => logWords(`toolwright: warning: ${visible(warning)}`),
  };
}
