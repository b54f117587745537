import { ERROR_CODES, type ErrorCode } from "../../../core/errors.ts";
import type { ToolResult } from "../../../core/result.ts";

/** Returns the exit code of an error, from the table of codes. */
export function exitCodeOf({ code }: { readonly code: ErrorCode }): number {
  return ERROR_CODES[code].exitCode;
}

/** Returns the exit code of a result. */
export function exitCodeOfResult(result: ToolResult): number {
  return result.ok ? 0 : exitCodeOf(result.error);
}
