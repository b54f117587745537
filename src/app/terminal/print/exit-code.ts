import type { ErrorCode } from "../../../core/errors.ts";
import { ERROR_CODES } from "../../../core/errors.ts";
import type { ToolResult } from "../../../core/result.ts";

/** The exit code that goes with a failure: the table's. */
export function exitCodeOf({ code }: { readonly code: ErrorCode }): number {
  return ERROR_CODES[code].exitCode;
}

/** The exit code that goes with an answer. */
export function exitCodeOfResult(result: ToolResult): number {
  return result.ok ? 0 : exitCodeOf(result.error);
}
