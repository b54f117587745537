const EDGE = "\u001E";
/** The maximum length of a mark. */
const MAX_MARK = 8 * 1024;

/** The message of a shell that is ready: the last command, its exit code and the current folder. */
export interface Mark {
  readonly command: number;
  readonly exitCode: number;
  readonly folder: string;
}

export interface Scanned {
  /** The output without marks. */
  readonly text: string;
  readonly marks: readonly Mark[];
}

export interface MarkScanner {
  push(chunk: string): Scanned;
  /** Returns the text that was held back because it could have become a mark. */
  end(): string;
}

/** Creates a scanner that removes the marks from the output of a terminal; marks may span chunks. */
export function createMarkScanner(token: string): MarkScanner {
  const opening = `${EDGE}${token};`;
  let held = "";
  return {
    push(chunk) {
      const marks: Mark[] = [];
      let text = "";
      let rest = held + chunk;
      for (;;) {
        const start = rest.indexOf(opening);
        if (start < 0) break;
        const end = rest.indexOf(EDGE, start + opening.length);
        if (end < 0 && rest.length - start <= MAX_MARK) {
          held = rest.slice(start);
          return { text: text + rest.slice(0, start), marks };
        }
        const mark = end < 0 ? undefined : parseMark(rest.slice(start + opening.length, end));
        if (mark !== undefined) marks.push(mark);
        const after = end < 0 ? start + opening.length : end + EDGE.length;
        text += rest.slice(0, start);
        rest = rest.slice(after);
      }
      const open = possibleStart(rest, opening);
      held = rest.slice(rest.length - open);
      return { text: text + rest.slice(0, rest.length - open), marks };
    },
    end() {
      const left = held;
      held = "";
      return left;
    },
  };
}

/** Returns undefined for the empty mark of the prompt. */
function parseMark(body: string): Mark | undefined {
  const [, command, exitCode, folder] = /^(\d+);(\d+);(.*)$/s.exec(body) ?? [];
  if (folder === undefined) return undefined;
  return { command: Number(command), exitCode: Number(exitCode), folder };
}

/** Returns the number of characters at the end of a text that may begin a mark. */
function possibleStart(text: string, opening: string): number {
  const at = text.lastIndexOf(EDGE);
  if (at < 0 || !opening.startsWith(text.slice(at))) return 0;
  return text.length - at;
}
