import { ToolError } from "../../../core/errors.ts";

/** Creates the error for a file that cannot be shown, with its kind and size. */
export function refusal(path: string, bytes: number, reason: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} ${reason} (${bytes} bytes)`, {
    hint: "use a program that can read this kind of file",
    details: { path, bytes },
  });
}
