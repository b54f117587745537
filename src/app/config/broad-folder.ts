import { fold } from "../../util/text/fold.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import type { PathSettings } from "./groups.ts";
import { canonicalPath } from "./folders.ts";

/** Returns true for the root of the file system, the user's home and every folder around it. */
export function isBroadFolder(folder: string, userHome: string): boolean {
  // Folded: the file system may ignore case, and a canonical path keeps the case that it was written in.
  return isWithin(fold(canonicalPath(userHome)), fold(folder));
}

/** Returns a warning if the workspace contains the whole home folder, unless the user's own config allows that. */
export function broadFolderWarning({
  workspace: [folder],
  userHome,
  broadWorkspace,
}: PathSettings): string | undefined {
  if (broadWorkspace || !isBroadFolder(folder, userHome)) return undefined;
  return `the workspace is ${folder}, which contains your whole home folder: tools can read and change everything in it; start in the folder of a project`;
}
