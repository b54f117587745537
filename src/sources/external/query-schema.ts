import { availableParallelism, loadavg } from "node:os";
import { ToolError } from "../../core/errors.ts";
import { runProcess } from "../../system/process/process.ts";
import type { ProcessEnd } from "../../system/process/process.ts";
import type { Problem } from "../problem.ts";
import type { Program, ProgramContext } from "./program.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const TIMEOUT_MS = 1000;
const MAX_PATIENCE = 3;
const GRACE_MS = 100;
const MAX_BYTES = 1024 * 1024;
const SHOWN_CHARACTERS = 200;

/** What a program printed for its schema, or why it printed none. */
export type Asked = { readonly text: string } | { readonly problem: Problem };

/**
 * Asks a program for its schema: `PROGRAM --schema` with nothing on standard input. It has a second (up to three where the
 * machine is overrun) and a megabyte; after that it is ended with everything it started. Rejects only where the signal is aborted.
 */
export async function querySchema(
  { path }: Program,
  { cwd, environment, roster }: ProgramContext,
  signal: AbortSignal,
): Promise<Asked> {
  const timeoutMs = Math.round(TIMEOUT_MS * patience());
  const timeout = AbortSignal.timeout(timeoutMs);
  const stdout: string[] = [];
  let stderr = "";
  let bytes = 0;
  let unregister = (): void => undefined;
  try {
    const end = await runProcess({
      file: path,
      args: ["--schema"],
      cwd,
      env: environment,
      signal: AbortSignal.any([signal, timeout]),
      graceMs: GRACE_MS,
      onStart: (pid) => (unregister = roster.register(pid)),
      onOutput({ stream, text }) {
        if (stream === "stderr") {
          stderr = (stderr + text).slice(0, SHOWN_CHARACTERS);
          return;
        }
        bytes += Buffer.byteLength(text);
        if (bytes > MAX_BYTES) throw new TooLarge();
        stdout.push(text);
      },
    });
    signal.throwIfAborted();
    return timeout.aborted ? { problem: late(timeoutMs) } : answerOf(end, stdout.join(""), stderr);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TooLarge) return { problem: LARGE };
    return { problem: timeout.aborted ? late(timeoutMs) : notStarted(error) };
  } finally {
    unregister();
  }
}

/** On a machine that is overrun a second is not a second: a tool must not be lost because a build runs beside it. */
function patience(): number {
  const [load = 0] = loadavg();
  return Math.min(MAX_PATIENCE, Math.max(1, load / availableParallelism()));
}

/** Ends the program from inside its own output. */
class TooLarge extends Error {}

function late(timeoutMs: number): Problem {
  return {
    reason: "timeout",
    message: `it did not answer --schema within ${timeoutMs / 1000} s`,
    hint: "with --schema a tool prints its schema and ends, whatever is on its standard input",
  };
}

const LARGE: Problem = { reason: "too_large", message: "it printed over 1 MB for --schema" };

function answerOf({ exitCode, signal }: ProcessEnd, text: string, stderr: string): Asked {
  if (exitCode === 0) return { text };
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  const said = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
  return { problem: { reason: "exit_code", message: `it ${how} when it was asked --schema${said}` } };
}

/** Starting fails without a program, without its interpreter, and without a word on what runs it. */
function notStarted(error: unknown): Problem {
  const message = errorMessage(error);
  const errno = error instanceof ToolError ? error.details?.["errno"] : undefined;
  const isHeadless = errno === "ENOEXEC" || errno === "ENOENT" || errno === "EACCES";
  const hint = "a script begins with a line that names its interpreter, such as #!/bin/sh";
  return { reason: "failed", message, ...(isHeadless && { hint }) };
}
