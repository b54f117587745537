import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";

/** The folder of some kind of thing in the user's home. */
export function userFolder({ home }: Config, kind: string): string {
  return join(home, kind);
}

/** The same of the project; undefined in the user's home, where it is the user's own. */
export function projectFolder(config: Config, kind: string): string | undefined {
  const [root] = config.workspace;
  const folder = join(root, ".toolwright", kind);
  return canonical(join(root, ".toolwright")) === canonical(config.home) ? undefined : folder;
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
