import { DEFAULT_CUTS } from "../../core/cuts.ts";
import { ToolError, isErrorCode } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { tailOf } from "../../util/text/text-ends.ts";
import type { ProcessEnd } from "../../system/process/process.ts";

/** What a program left behind. */
export interface Printed {
  readonly name: string;
  /** All of it. */
  readonly stdout: string;
  /** The end of it, without the progress. */
  readonly stderr: string;
}

const KEPT_BYTES = DEFAULT_CUTS.log.keep;
/** Where two values are looked for, to say what is wrong. */
const MAX_COUNTED = 64 * 1024;
const NOT_ENDED: ProcessEnd = { exitCode: null, signal: null };

/** The value that a program answered with. Throws what it says of its own failure, else that it crashed, else what is wrong with its answer. */
export function answerOf(end: ProcessEnd, printed: Printed): Json {
  const value = parseJson(printed.stdout);
  const own = value === undefined ? undefined : ownError(value, end, printed);
  if (own !== undefined) throw own;
  if (end.exitCode !== 0) throw crashed(end, printed);
  if (value !== undefined) return value;
  throw new ToolError("INVALID_OUTPUT", `"${printed.name}" ${faultOf(printed.stdout)}`, {
    hint: "a tool prints exactly one JSON value on standard output; what else it has to say goes to standard error",
    details: detailsOf(end, printed),
  });
}

/** The error of a call that was ended: the reason, with what was printed so far. */
export function cutShort(reason: unknown, end: ProcessEnd, printed: Printed): ToolError {
  const error = reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
  return new ToolError(error.code, error.message, {
    ...(error.hint !== undefined && { hint: error.hint }),
    details: { ...error.details, ...detailsOf(end, printed) },
    cause: reason,
  });
}

/** The error of a program that was ended because it would not stop printing. */
export function tooLong(printed: Printed, maxBytes: number): ToolError {
  const size = `${maxBytes / 1024 / 1024} MB`;
  return new ToolError("INVALID_OUTPUT", `"${printed.name}" printed more than ${size}`, {
    hint: "write what is that long into a file, and answer with its path",
    details: detailsOf(NOT_ENDED, printed),
  });
}

/** A program's own error: a non-empty text under `error`. Its code is kept, and is the failure's where the table has it. */
function ownError(value: Json, end: ProcessEnd, { stderr }: Printed): ToolError | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "error")) return undefined;
  const { error, error_code: toolCode, hint, ...rest } = value;
  if (typeof error !== "string" || error === "") return undefined;
  return new ToolError(isErrorCode(toolCode) ? toolCode : "TOOL_FAILED", error, {
    ...(typeof hint === "string" && hint !== "" && { hint }),
    details: {
      ...rest,
      ...(typeof toolCode === "string" && { toolCode }),
      exit_code: end.exitCode,
      ...(stderr !== "" && { stderr }),
    },
  });
}

function crashed(end: ProcessEnd, printed: Printed): ToolError {
  const how = end.signal === null ? `ended with exit code ${end.exitCode}` : `was ended by ${end.signal}`;
  return new ToolError("TOOL_CRASHED", `"${printed.name}" ${how}`, { details: detailsOf(end, printed) });
}

function faultOf(stdout: string): string {
  if (stdout.trim() === "") return "printed nothing";
  const lines = stdout.slice(0, MAX_COUNTED).split("\n");
  const values = lines.filter((line) => line.trim() !== "" && parseJson(line) !== undefined);
  return values.length > 1 ? "printed more than one JSON value" : "printed something that is not JSON";
}

function detailsOf({ exitCode, signal }: ProcessEnd, { stdout, stderr }: Printed): JsonObject {
  return { exit_code: exitCode, signal, stdout: tailOf(stdout, KEPT_BYTES), stderr };
}
