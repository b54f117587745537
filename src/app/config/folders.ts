import { attempt } from "../../util/async/attempt.ts";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { PathSettings } from "./groups.ts";
import { editConfigFile } from "./files/config-file.ts";

/** The folders of files beside the store. */
export type StateFolders = ReturnType<typeof stateFoldersOf>;

/** Returns the folders of files for people beside the store; beside its usual place if the store is in memory, as they must outlive the process. */
export function stateFoldersOf({ store, home }: PathSettings) {
  const state = store === ":memory:" ? join(home, "state") : store;
  return {
    /** Deleted files. */
    trash: join(state, "trash"),
    /** Earlier versions of files. */
    checkpoints: join(state, "checkpoints"),
    reports: join(state, "reports"),
    /** Sessions, as Markdown. */
    dumps: join(state, "dumps"),
    /** Copies of workspaces that sandboxes change. */
    copies: join(state, "copies"),
    /** Locks and unfinished changes of files: the same for all stores, so that processes with different ones wait for each other. */
    changes: join(home, "state", "changes"),
  };
}

/** Sets or removes a value in the user's config file, as `editConfigFile` does. */
export function editUserConfig(
  paths: PathSettings,
  decide: Parameters<typeof editConfigFile>[2],
): Promise<void> {
  return editConfigFile(paths.files.user, { changesFolder: stateFoldersOf(paths).changes }, decide);
}

/** Returns the user's folder of tools, skills, extensions and so on. */
export function userFolder({ home }: PathSettings, kind: string): string {
  return join(home, kind);
}

/** Returns the project's folder of the same kind; undefined in the user's home, where it is the user's own. */
export function projectFolder({ workspace: [root], home }: PathSettings, kind: string): string | undefined {
  const own = join(root, ".toolwright");
  return canonicalPath(own) === canonicalPath(home) ? undefined : join(own, kind);
}

/** Returns the path without links, or as it is if it does not exist. */
export function canonicalPath(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}
