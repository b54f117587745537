import type { Recording, Step } from "./recording.ts";

/** The shared state of a replay. */
export interface Replay {
  readonly recording: Recording;
  /** A factor of the recorded speed; undefined: without waiting. */
  readonly speed: number | undefined;
  /** Records a difference, which ends the replay. */
  differs(recorded: Step | undefined, now: string): void;
  /** Ends the task as it was ended in the recording. */
  stop(reason: string): void;
}
