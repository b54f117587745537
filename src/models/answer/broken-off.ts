import { ToolError } from "../../core/errors.ts";

/** An answer came without its end: what there is of it is no message. */
export function brokenOff(): ToolError {
  return new ToolError("UNAVAILABLE", "the answer broke off before its end", { hint: "ask again" });
}
