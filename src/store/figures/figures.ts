/** Calls of one time, tool and outcome that took about the same time. */
export interface FigureCell {
  /** The start of the bucket, milliseconds since 1970. */
  readonly at: number;
  readonly name: string;
  /** `ok` or the code of the error. */
  readonly outcome: string;
  /** The bucket of the time that it ran without waiting; -1 if it did not run. `histogram.ts` has the bounds. */
  readonly ran: number;
  /** The bucket of the time that it waited for a person; -1 if it did not. */
  readonly waited: number;
  /** How many there were. */
  readonly calls: number;
}

/** What models were paid for the calls of one time and tool. */
export interface UsageCell {
  /** The start of the bucket, milliseconds since 1970. */
  readonly at: number;
  readonly name: string;
  readonly model: string;
  /** How many calls the models asked for. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In USD. */
  readonly cost: number;
}

/** The time that is counted, and in which pieces. */
export interface FiguresQuery {
  /** The start, milliseconds since 1970. */
  readonly since: number;
  /** The end, which is not counted. */
  readonly until: number;
  /** A multiple of a minute; `since` and `until` are multiples of it. */
  readonly bucketMs: number;
}

/** The counts of a time. */
export interface CountedCalls {
  /** Calls, by time, tool, outcome and duration. */
  readonly cells: readonly FigureCell[];
  /** Costs, by time, tool and model. */
  readonly usage: readonly UsageCell[];
  /** When the oldest counted call was received; null if there is none. Nothing is known about the time before. */
  readonly countedSince: number | null;
  /** Some calls are not counted yet: ask again. */
  readonly isPartial: boolean;
  /** Only the newest stored calls are counted, so that a count may become smaller. Default: false. */
  readonly isWindow?: boolean;
}

/** Counts of answered calls, also of those that were deleted since; calls of other processes may come a moment later. */
export interface Figures {
  /** Counts the calls of a time. */
  count(query: FiguresQuery): Promise<CountedCalls>;
}

const MINUTE = 60_000;
/** The times for which counts are stored. */
export const UNITS: readonly number[] = [MINUTE, 15 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE];

/** Returns the longest stored time that buckets of this size can be made of. */
export function unitOf(bucketMs: number): number {
  return UNITS.findLast((unit) => bucketMs % unit === 0) ?? MINUTE;
}
