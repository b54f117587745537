import { join } from "node:path";
import type { Config } from "../config.ts";

/** Where files are kept for people: beside what else is kept. */
export interface KeptFolders {
  /** Of deleted files. */
  readonly trash: string;
  /** Of files as they were. */
  readonly checkpoints: string;
  readonly reports: string;
  /** Of sessions, as Markdown. */
  readonly dumps: string;
}

/** A store in memory has no place, and these must outlive the process: then they are where the store usually is. */
export function keptFoldersOf({ store, home }: Config): KeptFolders {
  const state = store === ":memory:" ? join(home, "state") : store;
  return {
    trash: join(state, "trash"),
    checkpoints: join(state, "checkpoints"),
    reports: join(state, "reports"),
    dumps: join(state, "dumps"),
  };
}
