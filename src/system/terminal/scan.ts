const EDGE = "\u001E";
/** A mark that does not end within so many characters is none. */
const MAX_MARK = 8 * 1024;

/** What the shell says when it is ready: which command was the last, how it ended, and where the shell is now. */
export interface Mark {
  readonly command: number;
  readonly exitCode: number;
  readonly folder: string;
}

export interface Scanned {
  /** What the terminal printed, without marks. */
  readonly text: string;
  readonly marks: readonly Mark[];
}

export interface MarkScanner {
  push(chunk: string): Scanned;
  /** What was held back because it could have become a mark. */
  end(): string;
}

/** Takes the marks of a terminal's shell out of what it prints, also where they come in pieces. */
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
      const kept = possibleStart(rest, opening);
      held = rest.slice(rest.length - kept);
      return { text: text + rest.slice(0, rest.length - kept), marks };
    },
    end() {
      const left = held;
      held = "";
      return left;
    },
  };
}

/** Undefined for the mark that is the prompt itself. */
function parseMark(body: string): Mark | undefined {
  const [, command, exitCode, folder] = /^(\d+);(\d+);(.*)$/s.exec(body) ?? [];
  if (folder === undefined) return undefined;
  return { command: Number(command), exitCode: Number(exitCode), folder };
}

/** How many characters at the end of a text are the beginning of a mark. */
function possibleStart(text: string, opening: string): number {
  const at = text.lastIndexOf(EDGE);
  if (at < 0 || !opening.startsWith(text.slice(at))) return 0;
  return text.length - at;
}
