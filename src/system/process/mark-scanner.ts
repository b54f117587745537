const EDGE = "\u001E";

export interface ScannedText {
  /** The output without marks. */
  readonly text: string;
  /** The texts in the marks. */
  readonly bodies: readonly string[];
}

/** Creates a scanner that removes marks from the output of a program: a token and a text of limited length between two edges. */
export function createMarkScanner(token: string, maxCharacters: number) {
  const opening = `${EDGE}${token};`;
  let held = "";
  return {
    push(chunk: string): ScannedText {
      const bodies: string[] = [];
      let text = "";
      let rest = held + chunk;
      for (;;) {
        const start = rest.indexOf(opening);
        if (start < 0) break;
        const end = rest.indexOf(EDGE, start + opening.length);
        if (end < 0 && rest.length - start <= maxCharacters) {
          held = rest.slice(start);
          return { text: text + rest.slice(0, start), bodies };
        }
        if (end >= 0) bodies.push(rest.slice(start + opening.length, end));
        const after = end < 0 ? start + opening.length : end + EDGE.length;
        text += rest.slice(0, start);
        rest = rest.slice(after);
      }
      const open = possibleStart(rest, opening);
      held = rest.slice(rest.length - open);
      return { text: text + rest.slice(0, rest.length - open), bodies };
    },
    /** Returns the text that was held back because it could have become a mark. */
    end(): string {
      const left = held;
      held = "";
      return left;
    },
  };
}

/** Returns the number of characters at the end of a text that may begin a mark. */
function possibleStart(text: string, opening: string): number {
  const at = text.lastIndexOf(EDGE);
  if (at < 0 || !opening.startsWith(text.slice(at))) return 0;
  return text.length - at;
}
