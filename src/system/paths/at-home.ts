import { join } from "node:path";

/** Returns a path that begins with `~/`, or is `~`, as one in the user's home; any other as it is. */
export function atHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}
