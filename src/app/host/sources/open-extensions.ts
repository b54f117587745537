import { defined } from "../../../util/json/defined.ts";
import { existsSync } from "node:fs";
import type { ExtensionDirectory } from "../../../sources/extension/extension-folder.ts";
import type { Extensions } from "../../../sources/extension/extensions.ts";
import type { Log } from "../../../sources/extension/instance.ts";
import { RESERVED_COMMANDS } from "../../../sources/extension/extension.ts";
import type { PathSettings } from "../../config/groups.ts";
import { projectFolder, userFolder } from "../../config/folders.ts";
import type { IsTrusted } from "../../config/files/trust.ts";
import type { Skills } from "../../../core/skills.ts";
import { createSkills } from "../skills/skills.ts";

/**
 * Returns the extensions of the user and of the project, not loaded yet, and their hooks, which are first in the engine's list. With
 * `isLongLived`, extensions may be added while the process runs.
 */
export async function openExtensions(
  paths: PathSettings,
  isTrusted: IsTrusted,
  isLongLived: boolean,
  log?: Log,
) {
  const project = projectFolder(paths, "extensions");
  const isEntryTrusted = (entry: string, hash: string): boolean => isTrusted("extension", entry, hash);
  const directories: readonly ExtensionDirectory[] = [
    { name: "user", path: userFolder(paths, "extensions") },
    ...(project === undefined ? [] : [{ name: "project", path: project, isTrusted: isEntryTrusted }]),
  ];
  // Without a folder there can be no extensions, and no call pays for their hook.
  const mayHave = isLongLived || directories.some(({ path }) => existsSync(path));
  if (!mayHave) return { extensions: NO_EXTENSIONS, hooks: [] };
  const { createExtensions } = await import("../../../sources/extension/extensions.ts");
  const extensions = createExtensions({ directories, takenCommands: RESERVED_COMMANDS, ...defined({ log }) });
  return { extensions, hooks: [extensions.hook] };
}

const NO_EXTENSIONS: Extensions = {
  sources: [],
  hook: { name: "extensions", on: [], run: () => undefined },
  hooks: () => [],
  commands: () => new Map(),
  providers: () => new Map(),
  ready: () => Promise.resolve(),
};

/** Returns the skills of the user, then those of the project, of which only trusted ones can become instructions. */
export function openSkills(paths: PathSettings, isTrusted: IsTrusted): Skills {
  const project = projectFolder(paths, "skills");
  return createSkills([
    { path: userFolder(paths, "skills") },
    ...(project === undefined
      ? []
      : [{ path: project, isTrusted: (name: string, hash: string) => isTrusted("skill", name, hash) }]),
  ]);
}
