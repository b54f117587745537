import type { Emitter } from "./emitter.ts";
import type { Openings } from "../dialects/dialects.ts";
import type { Patterns } from "./patterns.ts";
import type { Source } from "./source.ts";
import type { ToolTable } from "./tool-table.ts";

/** Why a model stopped; "length" means that its text was cut off. */
export type EndReason = "stop" | "length";

/** What every reader is given. */
export interface Context {
  readonly source: Source;
  readonly emitter: Emitter;
  readonly tools: ToolTable;
  readonly openings: Openings;
  readonly patterns: Patterns;
  /** Names of tags that were met, and whether they mean anything. */
  readonly tagWords: Map<string, boolean>;
  /** Set at the end, where the reason is known. */
  reason: EndReason | undefined;
  /** Set where a string swallowed the rest of the text: from then on a closing marker ends a call, also inside strings. */
  isStrict: boolean;
}

export const CUT_OFF = "the text ends before the call does";
export const NO_CALL = "this is not a call of a tool: it has no name";
