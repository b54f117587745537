import { createMarkScanner } from "../process/mark-scanner.ts";

/** The maximum length of a mark. */
const MAX_MARK = 8 * 1024;

/** The message of a shell that is ready: the last command, its exit code and the current folder. */
export interface Mark {
  readonly command: number;
  readonly exitCode: number;
  readonly folder: string;
}

/** Creates a scanner that removes the marks from the output of a terminal; marks may span chunks. */
export function createPromptScanner(token: string) {
  const scanner = createMarkScanner(token, MAX_MARK);
  return {
    /** Returns the output without marks, and the marks. */
    push(chunk: string): { readonly text: string; readonly marks: readonly Mark[] } {
      const { text, bodies } = scanner.push(chunk);
      return { text, marks: bodies.flatMap((body) => parseMark(body) ?? []) };
    },
    /** Returns the text that was held back because it could have become a mark. */
    end: (): string => scanner.end(),
  };
}

/** Returns undefined for the empty mark of the prompt. */
function parseMark(body: string): Mark | undefined {
  const [, command, exitCode, folder] = /^(\d+);(\d+);(.*)$/s.exec(body) ?? [];
  if (folder === undefined) return undefined;
  return { command: Number(command), exitCode: Number(exitCode), folder };
}
