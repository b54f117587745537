import type { Executor } from "../../../core/executor.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import type { BuiltInOptions } from "../../../tools/built-in.ts";
import type { WebSettings } from "../../../tools/web/options.ts";
import { defined } from "../../../util/json/defined.ts";
import type { ConfigGroups, PathSettings } from "../../config/groups.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import type { Store } from "../store/open-configured-store.ts";

/** What the tools of a config depend on besides the config. */
interface ToolParts {
  readonly store?: Store;
  /** Those of sandboxes: programs that run beside them are outside. */
  readonly executors?: readonly Executor[];
}

/** Returns the options of the built-in tools for a config, and for the store if there is one. */
export function builtInOptions(
  config: ConfigGroups<"paths" | "environment" | "tools" | "web">,
  { store, executors = [] }: ToolParts,
): BuiltInOptions {
  const {
    paths: { workspace, userHome, home },
    environment: { variables },
  } = config;
  const [root, ...roots] = workspace;
  const { trash, checkpoints, reports, changes } = stateFoldersOf(config.paths);
  return {
    root,
    roots,
    home: userHome,
    environment: childEnvironment(variables, config.environment.names),
    trashFolder: trash,
    partialPatches: config.tools.partialPatches,
    checkpointsFolder: checkpoints,
    reportsFolder: reports,
    web: webSettings(config),
    isOutside: executors.length > 0,
    stateFolders: config.paths.store === ":memory:" ? [home] : [home, config.paths.store],
    // Without the folder itself: the host recovers unfinished changes, and prints those that it cannot undo.
    ...(store !== undefined && {
      collections: store.collections,
      operations: createFileOperations(changes),
    }),
    ...defined({ stateFolder: processFolderOf(config.paths, store) }),
  };
}

/** Replaces the name of the variable that holds the search service's key by the key. */
export function webSettings({
  web: { search, ...rest },
  environment: { variables },
}: ConfigGroups<"web" | "environment">): WebSettings {
  if (search === undefined) return rest;
  const { keyVariable = "", ...service } = search;
  return { ...rest, search: { ...service, ...defined({ key: variables[keyVariable] }) } };
}

/** Returns the folder in which running processes are recorded; undefined without a store on disk. */
export function processFolderOf(paths: PathSettings, store: Store | undefined): string | undefined {
  return store === undefined || paths.store === ":memory:" ? undefined : paths.store;
}
