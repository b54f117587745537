import type { Json } from "../../../core/json.ts";
import type { Openings } from "../dialects/dialects.ts";
import type { Patterns, Source } from "../scan/scan.ts";
import type { Emitter, TextCall } from "./emitter.ts";
import type { Frame } from "./frame.ts";
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
  /** Set when the text ends. */
  reason: EndReason | undefined;
  /** Set after an unclosed string ran to the end of the text: from then on a closing marker ends a call even inside a string. */
  isStrict: boolean;
}

export const CUT_OFF = "the text ends before the call does";
export const NO_NAME = "this is not a tool call: it has no name";

/** Emits calls, or adds them to a frame whose calls count only when it is closed. */
export function emitCalls(context: Context, frame: Frame | undefined, calls: readonly TextCall[]): void {
  const named = calls.map((call) => ({ ...call, name: context.tools.nameOf(call.name) }));
  if (frame?.held !== undefined) {
    frame.held.push(...named);
    return;
  }
  for (const call of named) context.emitter.call(call);
  context.source.mark();
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
export function emitProblem({ source, emitter }: Context, fault: string): "read" {
  emitter.problem(source.taken(), fault);
  source.mark();
  return "read";
}

export function toCall(name: string, input: Json, repaired: boolean, id?: string): TextCall {
  return { name, input, ...(id === undefined ? {} : { id }), ...(repaired ? { repaired: true } : {}) };
}
