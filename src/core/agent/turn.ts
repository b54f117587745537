import type { Key } from "../context.ts";
import { createKey } from "../context.ts";

/** The turn of an agent in which a call is made. */
export interface Turn {
  /** From 1. */
  readonly number: number;
  /** Of the trace that everything in the turn belongs to. */
  readonly traceId: string;
}

/** There only where an agent runs the call. */
export const CurrentTurn: Key<Turn> = createKey("CurrentTurn");
