import type { ReactNode } from "react";
import { Code } from "../../ui/index.ts";

/** Text of a model or a person: paragraphs as they are, and code between ``` fences as code. */
export function Prose({ text }: { readonly text: string }): ReactNode {
  // Odd pieces are inside fences; the last fence may still be open.
  return text.split(/^```[^\n]*\n?/m).map((piece, index) => {
    const key = `${index}`;
    if (piece.trim() === "") return null;
    if (index % 2 === 1)
      return (
        <Code key={key} label="Code">
          {piece.trimEnd()}
        </Code>
      );
    return (
      <p key={key} className="prose">
        {inline(piece.trim())}
      </p>
    );
  });
}

/** Returns a text with `code` and **bold** marked. */
function inline(text: string): readonly ReactNode[] {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((piece, index) => {
    const key = `${index}`;
    if (index % 2 === 0) return piece;
    return piece.startsWith("`") ? (
      <code key={key}>{piece.slice(1, -1)}</code>
    ) : (
      <strong key={key}>{piece.slice(2, -2)}</strong>
    );
  });
}
