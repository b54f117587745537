import { randomUUID } from "node:crypto";
import { ToolError } from "../../../core/errors.ts";
import type { ProcessEnd } from "../../../system/process/process.ts";
import { runProcess } from "../../../system/process/process.ts";
import { createRoster } from "../../../system/process/roster.ts";
import { endLeftBehind } from "./left-behind.ts";

/** From TERM to KILL, as the engine does it. */
export const GRACE_MS = 1000;
const MAX_STDOUT = 1024 * 1024;
const MAX_STDERR = 2000;
/** Told to every run, so that what it leaves behind can be found wherever it went. */
const MARK = "TOOLWRIGHT_CHECK_RUN";

/** The program that is checked, and what it is run with. */
export interface Subject {
  readonly path: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** Left out: empty. */
  readonly stdin?: string;
  /** Standard input is a pipe that never says anything. */
  readonly isInputOpen?: boolean;
  /** It gets TERM after so long. */
  readonly limitMs: number;
}

/** How one run went. */
export interface Run extends ProcessEnd {
  readonly stdout: string;
  /** It printed more than is kept. */
  readonly isTooLong: boolean;
  readonly stderr: string;
  /** How long it ran by itself. */
  readonly durationMs: number;
  /** It had to be ended. */
  readonly isLate: boolean;
  /** How long it took to end once it was told to. */
  readonly endingMs: number;
  /** What it left running, by command line; undefined where the system does not tell. It has been ended. */
  readonly left: readonly string[] | undefined;
  /** Why it could not even be started. */
  readonly fault?: ToolError;
}

/** Runs the program once and leaves nothing of it behind. Rejects only where the subject's signal is aborted. */
export async function runOnce(subject: Subject, options: RunOptions): Promise<Run> {
  const limit = new AbortController();
  const mark = randomUUID();
  const roster = createRoster();
  const { promise: isOver, resolve: finish } = Promise.withResolvers<void>();
  const shown = { stdout: "", stderr: "", isTooLong: false };
  let unregister = (): void => undefined;
  let endedAt = Number.NaN;
  const startedAt = performance.now();
  const timer = setTimeout(() => {
    endedAt = performance.now();
    limit.abort();
  }, options.limitMs);
  let outcome: ProcessEnd & { readonly fault?: ToolError };
  try {
    outcome = await runProcess({
      file: subject.path,
      args: options.args ?? [],
      cwd: subject.cwd,
      env: { ...subject.environment, [MARK]: mark },
      stdin:
        options.isInputOpen === true ? (input) => void isOver.then(() => input.end()) : (options.stdin ?? ""),
      signal: AbortSignal.any([subject.signal, limit.signal]),
      graceMs: GRACE_MS,
      onStart: (pid) => (unregister = roster.register(pid)),
      onOutput: (chunk) => keep(shown, chunk),
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    outcome = { exitCode: null, signal: null, fault: error };
  } finally {
    clearTimeout(timer);
    unregister();
    finish();
  }
  const now = performance.now();
  subject.signal.throwIfAborted();
  const isLate = limit.signal.aborted;
  return {
    ...outcome,
    ...shown,
    isLate,
    durationMs: (isLate ? endedAt : now) - startedAt,
    endingMs: isLate ? now - endedAt : 0,
    left: await endLeftBehind(`${MARK}=${mark}`),
  };
}

interface Shown {
  stdout: string;
  stderr: string;
  isTooLong: boolean;
}

function keep(
  shown: Shown,
  { stream, text }: { readonly stream: "stdout" | "stderr"; readonly text: string },
): void {
  if (stream === "stderr") {
    shown.stderr = (shown.stderr + text).slice(0, MAX_STDERR);
    return;
  }
  if (shown.stdout.length + text.length > MAX_STDOUT) shown.isTooLong = true;
  else shown.stdout += text;
}
