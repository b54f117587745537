import type { ToolContext } from "../../core/context.ts";
import { DEFAULT_CUTS } from "../../core/cuts.ts";
import { ToolError, isErrorCode, type ErrorCode } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { FindSecretsKey, type FindSecrets } from "../../core/session/find-secrets.ts";
import { createCapture } from "../../system/process/capture.ts";
import { describeEnd, runProcess, type ProcessEnd } from "../../system/process/process.ts";
import { identityOf, type Program, type ProgramContext } from "./list-programs.ts";
import { progressLines } from "./progress-lines.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { maskedTail } from "../../secrets/masked-ends.ts";

/** Time from TERM to KILL. */
export const KILL_MS = 1000;

/** A longer answer is refused: it would be held in memory several times. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const { over: maxBytes, keep: tailBytes } = DEFAULT_CUTS.log;

interface ProgramRun extends ProgramContext {
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
  const find = context.find(FindSecretsKey);
  const errors = createCapture({ maxBytes, tailBytes, find, spill: () => undefined });
  const stderr = progressLines({
    onProgress: context.emit,
    onText: (text) => void errors.write({ stream: "stderr", text }),
  });
  const printed = (): Printed => {
    stderr.end();
    return { name: run.name, stdout: stdout.join(""), stderr: errors.peek().stderr.text, find };
  };
  const end = await runProcess({
    file: run.program.path,
    cwd: run.cwd,
    env: run.environment,
    stdin: JSON.stringify(input),
    signal: context.signal,
    graceMs: KILL_MS,
    roster: run.roster,
    onOutput(chunk) {
      if (chunk.stream === "stderr") return stderr.write(chunk.text);
      bytes += Buffer.byteLength(chunk.text);
      if (bytes > MAX_ANSWER_BYTES) throw tooLong(printed(), MAX_ANSWER_BYTES);
      stdout.push(chunk.text);
    },
  });
  if (context.signal.aborted) throw abortedCall(context.signal.reason, end, printed());
  return answerOf(end, printed());
}

/** Throws if the file was replaced since its schema was read: what was approved is what runs. */
export function assertUnchanged({ path, identity }: Program): void {
  const now = identityOf(path);
  if (now === identity) return;
  const what = now === undefined ? "was removed" : "has changed";
  throw new ToolError("UNAVAILABLE", `${path} ${what} since its schema was read`, {
    hint: "refresh the tools, then call the tool again",
  });
}

/** The output of a program. */
interface Printed {
  readonly name: string;
  /** The whole standard output. */
  readonly stdout: string;
  /** The end of standard error, without progress lines. */
  readonly stderr: string;
  readonly find: FindSecrets | undefined;
}

const SHOWN_BYTES = DEFAULT_CUTS.log.keep;
/** How much of the output is searched for a second JSON value, to describe the fault. */
const MAX_COUNTED = 64 * 1024;
const NOT_ENDED: ProcessEnd = { exitCode: null, signal: null };

/** Returns the value that a program printed. Throws the error that it reported, a crash, or what is wrong with its output. */
function answerOf(end: ProcessEnd, printed: Printed): Json {
  const value = parseJson(printed.stdout);
  const own = value === undefined ? undefined : ownError(value, end, printed);
  if (own !== undefined) throw own;
  if (end.exitCode !== 0) throw crashed(end, printed);
  if (value !== undefined) return value;
  throw new ToolError("INVALID_OUTPUT", `"${printed.name}" ${faultOf(printed.stdout)}`, {
    hint: "print exactly one JSON value on standard output, and everything else on standard error",
    details: detailsOf(end, printed),
  });
}

/** Creates the error of an aborted call: the reason, with the output so far. */
function abortedCall(reason: unknown, end: ProcessEnd, printed: Printed): ToolError {
  const error = reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
  return new ToolError(error.code, error.message, {
    hint: error.hint,
    details: { ...error.details, ...detailsOf(end, printed) },
    cause: reason,
  });
}

/** Creates the error of a program that was ended because it printed too much. */
function tooLong(printed: Printed, maxBytes: number): ToolError {
  const size = `${maxBytes / 1024 / 1024} MB`;
  return new ToolError("INVALID_OUTPUT", `"${printed.name}" printed more than ${size}`, {
    hint: "write long results to a file and print its path",
    details: detailsOf(NOT_ENDED, printed),
  });
}

/** Reads the error that a program reported: a non-empty text under `error`. Its code is used if the table of codes has it. */
function ownError(value: Json, end: ProcessEnd, { stderr }: Printed): ToolError | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "error")) return undefined;
  const { error, error_code: toolCode, hint, ...rest } = value;
  if (typeof error !== "string" || error === "") return undefined;
  const code = isErrorCode(toolCode) ? toolCode : "TOOL_FAILED";
  return new ToolError(code, error, {
    hint: hintOf(code, typeof hint === "string" ? hint : ""),
    details: {
      ...rest,
      ...(typeof toolCode === "string" && { toolCode }),
      exit_code: end.exitCode,
      ...(stderr !== "" && { stderr }),
    },
  });
}

const ENVIRONMENT = 'a program has only the variables that "environment" in the config names';

/** A credential that is exported and not in the settings would be missing again. */
function hintOf(code: ErrorCode, own: string): string | undefined {
  const isKnown = code !== "MISSING_CREDENTIALS" || own.includes("environment");
  const hints = [own, isKnown ? "" : ENVIRONMENT].filter((text) => text !== "");
  return hints.length === 0 ? undefined : hints.join("; ");
}

function crashed(end: ProcessEnd, printed: Printed): ToolError {
  const message = `"${printed.name}" ${describeEnd(end)}`;
  return new ToolError("TOOL_CRASHED", message, { details: detailsOf(end, printed) });
}

function faultOf(stdout: string): string {
  if (stdout.trim() === "") return "printed nothing";
  const lines = stdout.slice(0, MAX_COUNTED).split("\n");
  const values = lines.filter((line) => line.trim() !== "" && parseJson(line) !== undefined);
  return values.length > 1 ? "printed more than one JSON value" : "printed something that is not JSON";
}

function detailsOf({ exitCode, signal }: ProcessEnd, { stdout, stderr, find }: Printed): JsonObject {
  return { exit_code: exitCode, signal, stdout: maskedTail(stdout, SHOWN_BYTES, find), stderr };
}
