import { ToolError } from "../../core/errors.ts";
import type { OnOutput } from "./output.ts";
import type { ProcessOptions } from "./process.ts";
import { runProcess } from "./process.ts";

const MAX_LINE = 64 * 1024;
const MAX_ERRORS = 2000;
/** Nothing but the command line decides: no configuration file, no rules of the user's own git. */
const ALWAYS = ["--no-config", "--color=never", "--no-ignore-global", "--no-require-git"];

export interface RipgrepOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin?: NonNullable<ProcessOptions["stdin"]>;
  /** Aborted, the run ends with its reason. */
  readonly signal: AbortSignal;
  /** Aborted, no more is wanted; what was handed on counts. */
  readonly until?: AbortSignal;
  /** What ends each piece of output; a line feed if left out. */
  readonly separator?: "\n" | "\0";
  /** Takes one piece of output; false means that no more is wanted. */
  onLine(line: string): boolean;
}

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 something went wrong, perhaps for some files only; null where it was stopped. */
  readonly exitCode: number | null;
  /** What it said about what went wrong. */
  readonly errors: string;
}

/** Runs ripgrep and hands on its output line by line, in bounded memory, until it ends or no more is wanted. */
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
  // Half a line is no line.
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
  const process = { file, args: [...ALWAYS, ...args], cwd, env: {}, signal, onOutput };
  try {
    const { exitCode } = await runProcess(stdin === undefined ? process : { ...process, stdin });
    return exitCode;
  } catch (error) {
    // It was to end before it had started.
    if (signal.aborted) return null;
    throw error;
  }
}

async function programPath(): Promise<string> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", "ripgrep is not installed for this system", {
      hint: "install the package again with its optional dependencies",
      cause,
    });
  }
}

interface Lines {
  add(text: string): void;
  end(): void;
}

/** Cuts a stream of text into lines; of a line without end only the beginning is kept. */
function createLines(separator: string, take: (line: string) => void): Lines {
  let rest = "";
  const keep = (text: string): void => {
    if (rest.length < MAX_LINE) rest += text.slice(0, MAX_LINE);
  };
  return {
    add(text) {
      const pieces = text.split(separator);
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        if (rest === "" && piece.length <= MAX_LINE) {
          take(piece);
          continue;
        }
        keep(piece);
        take(rest);
        rest = "";
      }
      keep(last);
    },
    end() {
      if (rest !== "") take(rest);
      rest = "";
    },
  };
}
