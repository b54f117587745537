import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { attempt } from "../../util/async/attempt.ts";

/** Returns the folder that a path leads to from another, as the system finds it: `..` behind a link is the parent of its target. */
export function enterFolder(folder: string, path: string): string {
  const joined = isAbsolute(path) ? path : `${folder}/${path}`;
  return attempt(() => realpathSync.native(joined)) ?? resolve(folder, path);
}
