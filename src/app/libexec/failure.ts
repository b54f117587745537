import { ERROR_CODES, ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import type { JsonObject } from "../../core/json.ts";
import { existed } from "../../system/paths/paths.ts";
import type { Program } from "./program.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** Codes of system errors, as callers of stand-alone programs know them. */
const BY_ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "FILE_NOT_FOUND",
  EACCES: "PERMISSION_DENIED",
  EPERM: "PERMISSION_DENIED",
  EROFS: "PERMISSION_DENIED",
  EEXIST: "FILE_EXISTS",
};

/** A failure as it is printed, and its exit code. */
export interface FailureAnswer {
  readonly error: string;
  readonly error_code: string;
  readonly hint?: string;
  readonly details?: JsonObject;
  readonly exitCode: number;
}

export interface FailedCall {
  readonly program: Program;
  /** The facts of the call, as far as they were collected. */
  readonly facts: readonly Fact[];
}

/** Returns the answer to a failed call. An error that is not a `ToolError` is reported as an internal error. */
export function failureOf(error: unknown, call: FailedCall): FailureAnswer {
  if (!(error instanceof ToolError)) {
    return { error: `internal error: ${errorMessage(error)}`, error_code: "TOOL_FAILED", exitCode: 1 };
  }
  return {
    error: error.message,
    error_code: codeOf(error, call),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.details !== undefined && { details: error.details }),
    exitCode: ERROR_CODES[error.code].exitCode,
  };
}

function codeOf(error: ToolError, { program, facts }: FailedCall): string {
  if (error.code === "INVALID_INPUT") return "INVALID_ARG";
  if (error.code !== "TOOL_FAILED") return error.code;
  const errno = error.details?.["errno"];
  const byErrno = typeof errno === "string" ? BY_ERRNO[errno] : undefined;
  const isMissing = facts.some((fact) => fact.kind === "path" && !existed(fact));
  return byErrno ?? program.codeOf?.(error) ?? (isMissing ? "FILE_NOT_FOUND" : error.code);
}
