import type { Json } from "../../../core/json.ts";
import type { ToolTable } from "./tool-table.ts";

/** A call that was found in a model's text. */
export interface TextCall {
  readonly name: string;
  /** As the model wrote it: it need not be an object. */
  readonly input: Json;
  /** The id that the model wrote, if its dialect has ids. */
  readonly id?: string;
  /** Set if the call was damaged and could be repaired in only one way. */
  readonly repaired?: true;
  /** What was repaired, in a few words; every repaired call has it. */
  readonly repair?: string;
}

/** A part of a model's text, in order. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: TextCall }
  /** A call that cannot be read, and why. */
  | { readonly kind: "problem"; readonly text: string; readonly message: string };

/** Collects the pieces of a text in order. */
export type Emitter = ReturnType<typeof createEmitter>;

/** What a call of an unknown tool becomes. */
export type Unlisted = "call" | "problem";

/** What was repaired, if no more is known. */
const NOTATION = "its notation";
const BLANK = /^\s*$/;
/** More white space than this is never dropped. */
const MAX_DEFERRED = 1024;

interface Repairs {
  readonly mayRepair: boolean;
  /** Returns a call under the names of the tool and its parameters. */
  readonly fit: (call: TextCall) => TextCall;
}

function withRepair(call: TextCall): TextCall {
  return call.repaired === true && call.repair === undefined ? { ...call, repair: NOTATION } : call;
}

/** Returns the problem of a call that can be read and yet is none; undefined if it is one. */
function problemOf(call: TextCall, isListed: boolean, mayRepair: boolean): Piece | undefined {
  const { name, repaired, repair } = call;
  const isRefused = repaired === true && !mayRepair;
  if (isListed && !isRefused) return undefined;
  const message = isRefused
    ? `it is damaged (${repair}), and calls are not repaired`
    : `unknown tool "${name}"`;
  return { kind: "problem", text: JSON.stringify(call), message };
}

export function createEmitter(tools: ToolTable, unlisted: Unlisted, { mayRepair, fit }: Repairs) {
  let pieces: Piece[] = [];
  let texts: string[] = [];
  let deferred = "";
  let itemCount = 0;
  let isAfterCall = false;
  let isAfterProblem = false;
  const isListed = (name: string): boolean => unlisted === "call" || tools.isEmpty || tools.knows(name);
  const flush = (): void => {
    if (texts.length === 0) return;
    pieces.push({ kind: "text", text: texts.join("") });
    texts = [];
  };
  const emit = (piece: Piece): void => {
    deferred = "";
    isAfterCall = true;
    isAfterProblem = piece.kind === "problem";
    flush();
    pieces.push(piece);
    itemCount += 1;
  };
  const text = (part: string): void => {
    if (part === "") return;
    const isBesideCall = isAfterCall || deferred !== "";
    if (isBesideCall && deferred.length + part.length <= MAX_DEFERRED && BLANK.test(part)) {
      deferred += part;
      return;
    }
    if (deferred !== "") texts.push(deferred);
    deferred = "";
    isAfterCall = false;
    texts.push(part);
  };
  return {
    /** The number of calls and problems so far. */
    get found(): number {
      return itemCount;
    },
    /** Whether the last of these was a problem. */
    get isAfterProblem(): boolean {
      return isAfterProblem;
    },
    text,
    /** Adds text that is dropped unless other text follows: the white space around calls, the fence before one. */
    defer: (part: string): void => void (deferred += part),
    call: (written: TextCall): void => {
      const call = withRepair(fit(written));
      emit(problemOf(call, isListed(call.name), mayRepair) ?? { kind: "call", call });
    },
    problem: (raw: string, message: string): void => emit({ kind: "problem", text: raw, message }),
    // What was deferred because a call seemed to follow is text if none did.
    /** Ends the text. */
    finish: (): void => {
      if (!isAfterCall && !BLANK.test(deferred)) texts.push(deferred);
      deferred = "";
    },
    /** Returns the pieces since the last time. */
    take: (): readonly Piece[] => {
      flush();
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}
