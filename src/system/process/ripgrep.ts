import { existsSync } from "node:fs";
import { loadRipgrep } from "../native-packages.ts";
import { ToolError } from "../../core/errors.ts";
import { createNameDecoder } from "../../util/text/file-name.ts";
import type { OnOutput } from "./output.ts";
import { runProcess, type ProcessOptions } from "./process.ts";

const MAX_LINE = 64 * 1024;
const MAX_ERRORS = 2000;
/** Makes results depend only on the command line: no config file, no global gitignore. */
const ALWAYS = ["--no-config", "--color=never", "--no-ignore-global", "--no-require-git"];

export interface RipgrepOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin?: NonNullable<ProcessOptions["stdin"]>;
  /** Aborts the run and rejects with its reason. */
  readonly signal: AbortSignal;
  /** Stops the run; the lines delivered so far are the result. */
  readonly until?: AbortSignal;
  /** The separator of the output; default: a line feed. */
  readonly separator?: "\n" | "\0";
  /** Receives one line, in which bytes that are not UTF-8 are as in names of `fromFileName`; returns false to stop. */
  onLine(line: string): boolean;
}

export interface RipgrepEnd {
  /** 0: found, 1: nothing found, 2: errors, possibly for some files only; null: stopped. */
  readonly exitCode: number | null;
  /** The error output. */
  readonly errors: string;
}

/** Runs ripgrep and delivers its output line by line, in limited memory, until it ends or is stopped. */
export async function runRipgrep(options: RipgrepOptions): Promise<RipgrepEnd> {
  const { signal, until } = options;
  const enough = new AbortController();
  let isWanted = true;
  const lines = createLines(options.separator ?? "\n", (line) => {
    if (!isWanted || options.onLine(line)) return;
    isWanted = false;
    enough.abort();
  });
  const ends = [signal, enough.signal, ...(until === undefined ? [] : [until])];
  let errors = "";
  const exitCode = await runOnce(options, AbortSignal.any(ends), ({ stream, text }) => {
    if (stream === "stdout") lines.add(text);
    else errors = (errors + text).slice(0, MAX_ERRORS);
  });
  signal.throwIfAborted();
  const wasStopped = !isWanted || until?.aborted === true;
  // Does not deliver an incomplete line.
  if (!wasStopped) lines.end();
  return { exitCode: wasStopped ? null : exitCode, errors: errors.trim() };
}

async function runOnce(
  { args, cwd, stdin }: RipgrepOptions,
  signal: AbortSignal,
  onOutput: OnOutput,
): Promise<number | null> {
  const file = await programPath();
  if (signal.aborted) return null;
  const process = {
    file,
    args: [...ALWAYS, ...args],
    cwd,
    env: {},
    signal,
    onOutput,
    decode: createNameDecoder,
    rest: "none",
  } as const;
  try {
    const { exitCode } = await runProcess(stdin === undefined ? process : { ...process, stdin });
    return exitCode;
  } catch (error) {
    // It was stopped before it started.
    if (signal.aborted) return null;
    if (!(error instanceof ToolError) || !isUnusable(error, cwd)) throw error;
    throw new ToolError(error.code, error.message, {
      hint: "ripgrep is a part of Toolwright: install Toolwright again",
      details: error.details,
      cause: error,
    });
  }
}

/** Returns true if the program is missing or must not be run, and false for a folder that is missing and for want of files or processes. */
function isUnusable({ details }: ToolError, cwd: string): boolean {
  const errno = details?.["errno"];
  return (errno === "ENOENT" || errno === "EACCES") && existsSync(cwd);
}

async function programPath(): Promise<string> {
  try {
    const { rgPath } = await loadRipgrep();
    return rgPath;
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", "ripgrep is not installed for this system", {
      hint: "reinstall the package with its optional dependencies; in a bundled server, mark toolwright as external",
      cause,
    });
  }
}

/** Splits a stream of text into lines; stores only the beginning of a very long line. */
function createLines(separator: string, take: (line: string) => void) {
  let rest = "";
  const append = (text: string): void => {
    if (rest.length < MAX_LINE) rest += text.slice(0, MAX_LINE);
  };
  return {
    add(text: string): void {
      const pieces = text.split(separator);
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        if (rest === "" && piece.length <= MAX_LINE) {
          take(piece);
          continue;
        }
        append(piece);
        take(rest);
        rest = "";
      }
      append(last);
    },
    end(): void {
      if (rest !== "") take(rest);
      rest = "";
    },
  };
}
