import { ERROR_CODES, ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import type { JsonObject } from "../../core/json.ts";
import { existed } from "../../system/paths/paths.ts";
import type { Program } from "./program.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** What the system says, in the words that callers of such programs know. */
const BY_ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "FILE_NOT_FOUND",
  EACCES: "PERMISSION_DENIED",
  EPERM: "PERMISSION_DENIED",
  EROFS: "PERMISSION_DENIED",
  EEXIST: "FILE_EXISTS",
};

/** A failure as it is printed, and the exit code that goes with it. */
export interface FailureAnswer {
  readonly error: string;
  readonly error_code: string;
  readonly hint?: string;
  readonly details?: JsonObject;
  readonly exitCode: number;
}

export interface Circumstances {
  readonly program: Program;
  /** What the call was about, as far as it came. */
  readonly facts: readonly Fact[];
}

/** The answer to a call that failed. An error that is no `ToolError` is a fault of the program, and says so. */
export function failureOf(error: unknown, circumstances: Circumstances): FailureAnswer {
  if (!(error instanceof ToolError)) {
    const told = errorMessage(error);
    return { error: `an error of its own: ${told}`, error_code: "TOOL_FAILED", exitCode: 1 };
  }
  return {
    error: error.message,
    error_code: codeOf(error, circumstances),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.details !== undefined && { details: error.details }),
    exitCode: ERROR_CODES[error.code].exitCode,
  };
}

function codeOf(error: ToolError, { program, facts }: Circumstances): string {
  if (error.code === "INVALID_INPUT") return "INVALID_ARG";
  if (error.code !== "TOOL_FAILED") return error.code;
  const errno = error.details?.["errno"];
  const byErrno = typeof errno === "string" ? BY_ERRNO[errno] : undefined;
  const isMissing = facts.some((fact) => fact.kind === "path" && !existed(fact));
  return byErrno ?? program.codeOf?.(error) ?? (isMissing ? "FILE_NOT_FOUND" : error.code);
}
