import { createMarkScanner } from "../process/mark-scanner.ts";
import type { OnOutput, OutputChunk } from "../process/output.ts";

/** An answer has a value of at most 100 000 characters, each up to six characters of JSON, and the paths of images. */
const MAX_MARK = 1024 * 1024;
/** How much of what is printed between cells is shown with the next one. */
const MAX_UNREAD = 10 * 1024;

/** The answer of the interpreter to a cell. */
export interface CellAnswer {
  /** The text of the last expression's value. */
  readonly value: string | null;
  readonly exception: CellException | null;
  /** Files of images that the cell wrote. */
  readonly images: readonly string[];
  /** Files of figures that it left open, unless it wrote images. */
  readonly figures: readonly string[];
}

export interface CellException {
  readonly type: string;
  readonly message: string;
  /** The line in the innermost cell. */
  readonly line: number | null;
  /** It is about the machine: files, network, modules. */
  readonly is_system: boolean;
}

/** An answer, or how the interpreter ended instead. */
export type CellEnd = { readonly answer: CellAnswer } | { readonly ended: string };

interface Mark extends CellAnswer {
  readonly cell: number;
  readonly version: string;
  readonly executable: string;
}

/** Separates the output of cells from their marks. */
export function createCells(token: string) {
  const scanners = { stdout: createMarkScanner(token, MAX_MARK), stderr: createMarkScanner(token, MAX_MARK) };
  let unread = "";
  let current: Current | undefined;
  return {
    take: ({ stream, text: chunk }: OutputChunk): void | Promise<void> => {
      const { text, bodies } = scanners[stream].push(chunk);
      const passing = text === "" ? undefined : pass({ stream, text });
      for (const body of bodies) current?.mark(body);
      return passing;
    },
    isBusy: (): boolean => current !== undefined,
    /** Resolves with the mark of a cell when it has come on both streams. */
    next(cell: number, onOutput: OnOutput | undefined): Promise<Mark> {
      const { promise, resolve } = Promise.withResolvers<Mark>();
      let answer: Mark | undefined;
      let marks = 0;
      const mark = (body: string): void => {
        if (body !== "") answer = JSON.parse(body) as Mark;
        marks += 1;
        if (marks === 2 && answer?.cell === cell) resolve(answer);
      };
      current = { mark, onOutput };
      if (unread !== "" && onOutput !== undefined) void onOutput({ stream: "stdout", text: unread });
      unread = "";
      return promise;
    },
    /** Stops passing output on. */
    stop: (): void => void (current = undefined),
    /** Returns what was printed while no cell ran. */
    unread: (): string => unread.trim(),
  };

  function pass(chunk: OutputChunk): void | Promise<void> {
    if (current?.onOutput !== undefined) return current.onOutput(chunk);
    unread = (unread + chunk.text).slice(-MAX_UNREAD);
    return undefined;
  }
}

interface Current {
  readonly mark: (body: string) => void;
  readonly onOutput: OnOutput | undefined;
}
