import type { Recording, Step } from "./recording.ts";

/** What the parts of a replay share. */
export interface Replay {
  readonly recording: Recording;
  /** How many times as fast as it was recorded; undefined: without waiting. */
  readonly speed: number | undefined;
  /** Notes that something else happens than was recorded, which ends the replay. */
  differs(recorded: Step | undefined, now: string): void;
  /** Ends the task, as it was ended when it was recorded. */
  stop(reason: string): void;
}
