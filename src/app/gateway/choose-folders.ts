import { ToolError } from "../../core/errors.ts";
import type { PathSettings } from "../config/groups.ts";
import { isBroadFolder } from "../config/broad-folder.ts";

/**
 * Returns the folders that a client works in: its roots, else the folder of the config. Refuses the root of the file system, the user's
 * home and every folder around it, which clients use if no project is open, unless the user's own config allows them.
 */
export function chooseFolders(
  { workspace: [folder], userHome, broadWorkspace }: PathSettings,
  roots: readonly string[],
): readonly [string, ...string[]] {
  const isAllowed = (one: string): boolean => broadWorkspace || !isBroadFolder(one, userHome);
  const [first = folder, ...others] = roots.filter(isAllowed);
  if (isAllowed(first)) return [first, ...others];
  throw new ToolError("DENIED", `${first} cannot be the workspace: it contains your whole home folder`, {
    hint: "start it in a project, or with --folder FOLDER; to allow it, set broadWorkspace to true in your own config",
  });
}
