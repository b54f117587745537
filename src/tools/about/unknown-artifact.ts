import { ToolError } from "../../core/errors.ts";

/** The error for an id under which nothing is kept, or nothing any more. */
export function unknownArtifact(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `there is no artifact ${JSON.stringify(id)}`, {
    hint: "it may have expired: make the call again that gave it",
    details: { id },
  });
}
