import type { Collections } from "../../../core/store/collection.ts";

/** What the tools of the family need. */
export interface MemoryOptions {
  /** The canonical folder where relative paths begin; memories and notes belong to it. */
  readonly root: string;
  /** What a leading `~/` stands for. */
  readonly home?: string;
  /** Where everything is kept; left out: in memory, for as long as the tools or the session live. */
  readonly collections?: Collections;
  /** Where checkpoints keep files; left out: create_checkpoint refuses. */
  readonly checkpointsFolder?: string;
}
