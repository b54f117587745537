import type { ToolContext } from "../../core/context.ts";
import { DEFAULT_CUTS } from "../../core/cuts.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { createCapture } from "../../system/process/capture.ts";
import { runProcess } from "../../system/process/process.ts";
import { endRest } from "../../system/process/tree.ts";
import { answerOf, abortedCall, tooLong, type Printed } from "./answer.ts";
import { identityOf, type Program, type ProgramContext } from "./program.ts";
import { progressLines } from "./progress-lines.ts";

/** Time from TERM to KILL. */
export const KILL_MS = 1000;

/** A longer answer is refused: it would be held in memory several times. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const { over: maxBytes, keep: tailBytes } = DEFAULT_CUTS.log;

export interface ProgramRun extends ProgramContext {
  readonly name: string;
  readonly program: Program;
}

/**
 * Runs a program with the input as JSON on its standard input and returns the one JSON value on its standard output. Throws a
 * `ToolError` otherwise, with the exit code and the end of its output. Ends the whole process tree when the call is aborted.
 */
export async function runProgram(run: ProgramRun, input: JsonObject, context: ToolContext): Promise<Json> {
  assertUnchanged(run.program);
  const stdout: string[] = [];
  let bytes = 0;
  const errors = createCapture({ maxBytes, tailBytes, spill: () => undefined });
  const stderr = progressLines({
    onProgress: context.emit,
    onText: (text) => void errors.write({ stream: "stderr", text }),
  });
  const printed = (): Printed => {
    stderr.end();
    return { name: run.name, stdout: stdout.join(""), stderr: errors.peek().stderr.text };
  };
  let unregister = (): void => undefined;
  let started: readonly [pid: number, marker: string] | undefined;
  try {
    const end = await runProcess({
      file: run.program.path,
      cwd: run.cwd,
      env: run.environment,
      stdin: JSON.stringify(input),
      signal: context.signal,
      graceMs: KILL_MS,
      onStart(...start) {
        started = start;
        unregister = run.roster.register(start[0]);
      },
      onOutput(chunk) {
        if (chunk.stream === "stderr") return stderr.write(chunk.text);
        bytes += Buffer.byteLength(chunk.text);
        if (bytes > MAX_ANSWER_BYTES) throw tooLong(printed(), MAX_ANSWER_BYTES);
        stdout.push(chunk.text);
      },
    });
    if (context.signal.aborted) throw abortedCall(context.signal.reason, end, printed());
    return answerOf(end, printed());
  } finally {
    unregister();
    // A daemon ends with its call.
    if (started !== undefined) await endRest(started[0], KILL_MS, started[1]);
  }
}

/** Throws if the file was replaced since its schema was read: what was approved is what runs. */
function assertUnchanged({ path, identity }: Program): void {
  const now = identityOf(path);
  if (now === identity) return;
  const what = now === undefined ? "was removed" : "has changed";
  throw new ToolError("UNAVAILABLE", `${path} ${what} since its schema was read`, {
    hint: "refresh the tools, then call the tool again",
  });
}
