import type { Json } from "../../../core/json.ts";
import type { Openings } from "../dialects/dialects.ts";
import type { Patterns, Source } from "../scan/scan.ts";
import type { Emitter, TextCall } from "./emitter.ts";
import type { ToolTable } from "./tool-table.ts";

/** Why a model stopped; "length" means that its text was cut off. */
export type EndReason = "stop" | "length";

/** What all readers of one text share. */
export interface Context {
  readonly source: Source;
  readonly emitter: Emitter;
  readonly tools: ToolTable;
  readonly openings: Openings;
  readonly patterns: Patterns;
  /** Tag names seen so far, and whether they are relevant. */
  readonly tagNames: Map<string, boolean>;
  /** Whether the dialect has nothing that closes a call. */
  readonly isUnclosed: boolean;
  /** Set when the text ends. */
  reason: EndReason | undefined;
  /** Up to this position a marker ends a value even inside a string, because an unclosed string was read up to there. */
  strictUntil: number;
}

/** Why a call cannot be read. The cursor is where the unreadable part begins. */
export interface Fault {
  readonly fault: string;
  /** Whether the end of the text is to blame, if there is no marker after it. */
  readonly mayBeCut?: true;
}

/** Returns a fault. */
export function fault(message: string): Fault {
  return { fault: message };
}

export const BROKEN: Fault = { fault: "it is not valid", mayBeCut: true };
export const CUT_OFF: Fault = fault("the text ends before the call does");
export const NO_NAME: Fault = fault("this is not a tool call: it has no name");

/** Emits calls under the names of the tools. */
export function emitCalls({ emitter, source }: Context, calls: readonly TextCall[]): void {
  for (const call of calls) emitter.call(call);
  source.mark();
}

/** Takes this many characters and forgets them. */
export function drop({ source }: Context, length: number): true {
  source.at += length;
  source.mark();
  return true;
}

/** Emits what was taken as text if it turned out to be text. */
export function settle({ source, emitter }: Context, outcome: "read" | "text"): true {
  if (outcome === "text") emitter.text(source.taken());
  source.mark();
  return true;
}

/** Emits what was taken as a call that cannot be read. */
export function emitProblem({ source, emitter }: Context, { fault }: Fault): "read" {
  emitter.problem(source.taken(), fault);
  source.mark();
  return "read";
}

/** Marks a call whose value had to be repaired. */
export function withRepair(
  call: TextCall,
  { repaired, repair }: { readonly repaired: boolean; readonly repair?: string },
): TextCall {
  return repaired ? { ...call, repaired: true, ...(repair === undefined ? {} : { repair }) } : call;
}

export function toCall(
  name: string,
  input: Json,
  more: {
    readonly repaired: boolean;
    readonly repair?: string | undefined;
    readonly id?: string | undefined;
  } = { repaired: false },
): TextCall {
  const { repaired, repair, id } = more;
  return {
    name,
    input,
    ...(id === undefined ? {} : { id }),
    ...(repaired ? { repaired: true } : {}),
    ...(repair === undefined ? {} : { repair }),
  };
}

/** Puts back an unreadable value. Up to its end, markers count even in strings, so that nothing is read a third time. */
export function putBack(context: Context, from: number): undefined {
  const { source } = context;
  context.strictUntil = Math.max(context.strictUntil, source.position);
  source.rewind(from);
}
