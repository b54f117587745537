import { ToolError } from "../../core/errors.ts";

/** Creates the error for an unknown or expired artifact. */
export function unknownArtifact(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `unknown artifact ${JSON.stringify(id)}`, {
    hint: "it may have expired: repeat the call that created it",
    details: { id },
  });
}
