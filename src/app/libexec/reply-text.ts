import type { Reply } from "../../core/content.ts";

/** The text of an answer. */
export function textOf({ content }: Reply): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
