import { childEnvironment } from "../../../system/process/environment.ts";
import type { BuiltInOptions } from "../../../tools/built-in.ts";
import type { Config } from "../../config/config.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import type { Store } from "../store/open-configured-store.ts";

/** What the built-in tools are given of what was configured, and of the store where there is one. */
export function toolOptions(config: Config, store: Store | undefined): BuiltInOptions {
  const { workspace, userHome, home, variables } = config;
  const [root, ...roots] = workspace;
  const stateFolder = stateFolderOf(config, store);
  const { trash, checkpoints, reports } = stateFoldersOf(config);
  return {
    root,
    roots,
    home: userHome,
    environment: childEnvironment(variables, config.environment),
    trashFolder: trash,
    checkpointsFolder: checkpoints,
    reportsFolder: reports,
    stateFolders: config.store === ":memory:" ? [home] : [home, config.store],
    ...(store === undefined ? {} : { collections: store.collections }),
    ...(stateFolder === undefined ? {} : { stateFolder }),
  };
}

/** Where running processes are noted; where nothing is kept, nothing is noted either. */
export function stateFolderOf(config: Config, store: Store | undefined): string | undefined {
  return store === undefined || config.store === ":memory:" ? undefined : config.store;
}
