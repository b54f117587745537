import { join } from "node:path";
import type { Config } from "./config.ts";

/** Where deleted files wait: beside what is kept. A store in memory has no place, and deleted files must outlive the process. */
export function trashFolderOf({ store, home }: Config): string {
  return join(store === ":memory:" ? join(home, "state") : store, "trash");
}
