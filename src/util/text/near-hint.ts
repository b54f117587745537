import { ToolError } from "../../core/errors.ts";
import { nearNames } from "./near-names.ts";

/** Returns "did you mean …?" with the known names nearest to a word; `otherwise` if none is near. */
export function nearHint(word: string, known: Iterable<string>, otherwise: string): string {
  const near = nearNames(word, known);
  return near.length > 0 ? `did you mean ${near.join(" or ")}?` : otherwise;
}

/** Returns the error for an unknown name, with the nearest known names as its hint. */
export function unknownName(
  message: string,
  word: string,
  known: Iterable<string>,
  otherwise: string,
): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint: nearHint(word, known, otherwise) });
}
