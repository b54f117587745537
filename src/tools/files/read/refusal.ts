import { ToolError } from "../../../core/errors.ts";

/** The error for a file that cannot be shown: what it is, how large, and what to do. */
export function refusal(path: string, bytes: number, reason: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} ${reason} (${bytes} bytes)`, {
    hint: "look at it with a program that knows its kind",
    details: { path, bytes },
  });
}
