import type { Collections } from "../../../core/store/collection.ts";

/** The options of the memory tools. */
export interface MemoryOptions {
  /** The canonical base folder of relative paths; memories and notes belong to it. */
  readonly root: string;
  /** The meaning of a leading `~/`. */
  readonly home?: string;
  /** Where the data is stored; default: in memory, until the tools or the session end. */
  readonly collections?: Collections;
  /** Where checkpoints store files; default: create_checkpoint fails. */
  readonly checkpointsFolder?: string;
}
