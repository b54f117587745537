import { createKey, type Key } from "../context.ts";

/** The turn of an agent in which a call is made. */
export interface Turn {
  /** Starts at 1. */
  readonly number: number;
  /** Id of the trace of the turn. */
  readonly traceId: string;
}

/** Present only if an agent runs the call. */
export const CurrentTurn: Key<Turn> = createKey("CurrentTurn");
