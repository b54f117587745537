import { existsSync } from "node:fs";
import type { Hook } from "../../../core/hook.ts";
import type { ExtensionDirectory } from "../../../sources/extension/extension-folder.ts";
import { createExtensions, type Extensions } from "../../../sources/extension/extensions.ts";
import type { Log } from "../../../sources/extension/instance.ts";
import { RESERVED_COMMANDS } from "../../../core/extension.ts";
import type { Config } from "../../config/config.ts";
import { projectFolder, userFolder } from "../../config/folders.ts";
import type { IsTrusted } from "../../config/files/trust.ts";

export interface OpenExtensionsOptions {
  readonly isTrusted: IsTrusted;
  /** Extensions may be added while the process runs. */
  readonly isLongLived: boolean;
  readonly log?: Log;
}

/** The extensions of the user and of the project, not loaded yet, and their hooks. */
export interface OpenExtensions {
  readonly extensions: Extensions;
  /** First in the engine's list. */
  readonly hooks: readonly Hook[];
}

export function openExtensions(config: Config, options: OpenExtensionsOptions): OpenExtensions {
  const { isTrusted, isLongLived, log } = options;
  const project = projectFolder(config, "extensions");
  const directories: readonly ExtensionDirectory[] = [
    { name: "user", path: userFolder(config, "extensions") },
    ...(project === undefined
      ? []
      : [
          {
            name: "project",
            path: project,
            isTrusted: (entry: string, hash: string) => isTrusted("extension", entry, hash),
          },
        ]),
  ];
  // Without a folder there can be no extensions, and no call pays for their hook.
  const mayHave = isLongLived || directories.some(({ path }) => existsSync(path));
  if (!mayHave) return { extensions: NO_EXTENSIONS, hooks: [] };
  const extensions = createExtensions({
    directories,
    takenCommands: RESERVED_COMMANDS,
    ...(log !== undefined && { log }),
  });
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
