import type { AssistantPart } from "../../core/agent/message.ts";
import type { Content } from "../../core/content.ts";

/** Returns the text pieces of content, or of a model's answer, joined; other pieces are left out. */
export function textOf(pieces: readonly (Content | AssistantPart)[], separator = "\n"): string {
  const [only] = pieces;
  if (pieces.length === 1 && only?.type === "text") return only.text;
  return pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join(separator);
}
