import { defined } from "../../util/json/defined.ts";
import type { Reply } from "../../core/content.ts";
import { ToolError, ERROR_CODES } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import type { Fact } from "../../core/fact.ts";
import { existed } from "../../system/paths/paths.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The folder and environment that a program was started in. */
export interface StartOptions {
  /** The canonical folder that relative paths are resolved against. */
  readonly root: string;
  readonly home?: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A built-in tool as a stand-alone program: one call on standard input, one answer on standard output. */
export interface Program {
  readonly name: string;
  readonly description: string;
  /** Descriptions of parameters that differ from those of the tool. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The fields of an answer, as JSON Schema properties. */
  readonly returns: JsonObject;
  /** An input for the help page. */
  readonly example: JsonObject;
  /** The time limit for the caller (default: that of any tool). */
  readonly timeoutSeconds?: number;
  createTool(options: StartOptions): Tool;
  toResult(reply: Reply): JsonObject;
  /** Returns a more specific code for a failure. */
  codeOf?(error: ToolError): string | undefined;
}

/** Codes of system errors, as callers of stand-alone programs know them. */
const BY_ERRNO: Readonly<Record<string, string>> = {
  ENOENT: "FILE_NOT_FOUND",
  EACCES: "PERMISSION_DENIED",
  EPERM: "PERMISSION_DENIED",
  EROFS: "PERMISSION_DENIED",
  EEXIST: "FILE_EXISTS",
};

/**
 * Returns a failure as it is printed, and its exit code; `facts` are those of the call, as far as they were collected. An error that is not a
 * `ToolError` is reported as an internal error.
 */
export function failureOf(error: unknown, program: Program, facts: readonly Fact[]) {
  if (!(error instanceof ToolError))
    return { error: `internal error: ${errorMessage(error)}`, error_code: "TOOL_FAILED", exitCode: 1 };
  const { message, code, hint, details } = error;
  const { exitCode } = ERROR_CODES[code];
  const error_code = codeOf(error, program, facts);
  return { error: message, error_code, ...defined({ hint, details }), exitCode };
}

function codeOf(error: ToolError, program: Program, facts: readonly Fact[]): string {
  if (error.code === "INVALID_INPUT") return "INVALID_ARG";
  if (error.code !== "TOOL_FAILED") return error.code;
  const errno = error.details?.["errno"];
  const byErrno = typeof errno === "string" ? BY_ERRNO[errno] : undefined;
  const isMissing = facts.some((fact) => fact.kind === "path" && !existed(fact));
  return byErrno ?? program.codeOf?.(error) ?? (isMissing ? "FILE_NOT_FOUND" : error.code);
}
