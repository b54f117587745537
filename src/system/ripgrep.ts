import { ToolError } from "../core/errors.ts";
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
  readonly signal: AbortSignal;
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
  const { signal } = options;
  const enough = new AbortController();
  const lines = createLines(options.separator ?? "\n", (line) => {
    if (!enough.signal.aborted && !options.onLine(line)) enough.abort();
  });
  let errors = "";
  const end = await runProcess({
    file: await programPath(),
    args: [...ALWAYS, ...options.args],
    cwd: options.cwd,
    env: {},
    ...(options.stdin !== undefined && { stdin: options.stdin }),
    signal: AbortSignal.any([signal, enough.signal]),
    onOutput({ stream, text }) {
      if (stream === "stdout") lines.add(text);
      else errors = (errors + text).slice(0, MAX_ERRORS);
    },
  });
  signal.throwIfAborted();
  lines.end();
  return { exitCode: enough.signal.aborted ? null : end.exitCode, errors: errors.trim() };
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
      let from = 0;
      for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
        keep(text.slice(from, at));
        take(rest);
        rest = "";
        from = at + 1;
      }
      keep(text.slice(from));
    },
    end() {
      if (rest !== "") take(rest);
      rest = "";
    },
  };
}
