import { ToolError } from "../../../core/errors.ts";
import type { HookDecision, HookMoment } from "../../../core/hook.ts";
import { tailOf } from "../../../util/text/text-ends.ts";
import { runProcess } from "../../../system/process/process.ts";
import type { OutputChunk } from "../../../system/process/output.ts";
import { readDecision } from "./read-decision.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

export interface CommandOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Where it runs. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_STDERR_BYTES = 2000;

/**
 * Runs a hook's program, without a shell: the moment as JSON on its standard input, its decision as JSON from its standard
 * output. An abort ends everything it started. Throws a `ToolError` if it cannot be started, fails or
 * prints something else.
 */
export async function runCommand(
  [file, ...args]: readonly [string, ...string[]],
  moment: HookMoment,
  { environment, cwd, signal }: CommandOptions,
): Promise<HookDecision | undefined> {
  const tooMuch = new AbortController();
  const stdin = JSON.stringify({ ...moment, workspace: cwd });
  let [stdout, stderr] = ["", ""];
  const onOutput = ({ stream, text }: OutputChunk): void => {
    if (stream === "stderr") stderr = tailOf(stderr + text, MAX_STDERR_BYTES);
    else if (!tooMuch.signal.aborted) stdout += text;
    if (stdout.length > MAX_ANSWER_BYTES) tooMuch.abort();
  };
  const ending = AbortSignal.any([signal, tooMuch.signal]);
  const end = await runProcess({ file, args, cwd, env: environment, stdin, signal: ending, onOutput });
  signal.throwIfAborted();
  if (tooMuch.signal.aborted) throw failed("it printed more than 1 MB", stderr);
  if (end.signal !== null) throw failed(`it was ended by ${end.signal}`, stderr);
  if (end.exitCode !== 0) throw failed(`it exited with ${end.exitCode}`, stderr);
  try {
    return readDecision(stdout);
  } catch (error) {
    throw failed(errorMessage(error), stderr);
  }
}

function failed(what: string, stderr: string): ToolError {
  const said = stderr.trim();
  return new ToolError("TOOL_FAILED", said === "" ? what : `${what}: ${said}`);
}
