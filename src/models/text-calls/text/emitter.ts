import type { Piece, TextCall } from "./piece.ts";
import type { ToolTable } from "./tool-table.ts";

/** Where what was read goes, in order. */
export interface Emitter {
  /** How many calls and problems there were so far. */
  readonly found: number;
  text(text: string): void;
  /** Text that counts only if more text follows it: the space around calls, the fence before one. */
  pend(text: string): void;
  call(call: TextCall): void;
  problem(text: string, message: string): void;
  /** Says that no more comes. */
  finish(): void;
  /** What was gathered since the last time. */
  take(): readonly Piece[];
}

/** What becomes of a call of a tool that the model was not shown. */
export type Unlisted = "call" | "problem";

const BLANK = /^\s*$/;
/** More space than this is text in its own right. */
const MAX_PENDING = 1024;

export function createEmitter(tools: ToolTable, unlisted: Unlisted): Emitter {
  let pieces: Piece[] = [];
  let texts: string[] = [];
  let pending = "";
  let found = 0;
  let isAfterCall = false;
  const flush = (): void => {
    if (texts.length === 0) return;
    pieces.push({ kind: "text", text: texts.join("") });
    texts = [];
  };
  const emit = (piece: Piece): void => {
    pending = "";
    isAfterCall = true;
    flush();
    pieces.push(piece);
    found += 1;
  };
  const text = (part: string): void => {
    if (part === "") return;
    const mayBeAround = isAfterCall || pending !== "";
    if (mayBeAround && pending.length + part.length <= MAX_PENDING && BLANK.test(part)) {
      pending += part;
      return;
    }
    if (pending !== "") texts.push(pending);
    pending = "";
    isAfterCall = false;
    texts.push(part);
  };
  return {
    get found() {
      return found;
    },
    text,
    pend: (part) => void (pending += part),
    call: (call) => {
      const isKnown = unlisted === "call" || tools.isEmpty || tools.has(call.name);
      if (isKnown) emit({ kind: "call", call });
      else emit({ kind: "problem", text: JSON.stringify(call), message: `there is no tool "${call.name}"` });
    },
    problem: (raw, message) => emit({ kind: "problem", text: raw, message }),
    // What only stood before a call is text where none came.
    finish: () => {
      if (!isAfterCall && !BLANK.test(pending)) texts.push(pending);
      pending = "";
    },
    take: () => {
      flush();
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}
