import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** Returns the pattern of a search. Throws for an invalid regular expression. */
export function searchPattern(text: string, isPattern: boolean): RegExp {
  if (!isPattern) return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "iu");
  try {
    return new RegExp(text, "iu");
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `text: ${errorMessage(cause)}`, { cause });
  }
}
