import { existsSync } from "node:fs";
import type { ExtensionCommand, ProviderFactory } from "../../core/extension.ts";
import type { Hook, HookPoint } from "../../core/hook.ts";
import type { SourceProblem, ToolSource } from "../../core/source.ts";
import { watchFolders } from "../watch-folders.ts";
import type { ExtensionDirectory, ExtensionFolder } from "./extension-folder.ts";
import { createExtensionFolder } from "./extension-folder.ts";
import { createForwardHook } from "./forward-hook.ts";
import type { Instance, Log } from "./instance.ts";
import type { Modules } from "./modules.ts";
import { createModules } from "./modules.ts";
import type { Offers } from "./offers.ts";
import { offersOf } from "./offers.ts";
import { watchedIn } from "./watched.ts";
import { createSerializer } from "../../util/async/serialize.ts";

export interface ExtensionsOptions {
  /** In the order in which names are given away. */
  readonly directories: readonly ExtensionDirectory[];
  /** Names of commands that no extension can have. */
  readonly takenCommands?: readonly string[];
  /** Left out: what extensions log is dropped. */
  readonly log?: Log;
  /** For the import and the setup of one extension; 5 s. */
  readonly limitMs?: number;
}

/** The extensions of some folders: their tools by way of sources, and the rest as it is at the moment. */
export interface Extensions {
  /** One for each folder, so that one that cannot be read hurts no other. Closing one ends its extensions. */
  readonly sources: readonly ToolSource[];
  commands(): ReadonlyMap<string, ExtensionCommand>;
  providers(): ReadonlyMap<string, ProviderFactory>;
  hooks(): readonly Hook[];
  /** Asks the hooks of all extensions as they are when it is asked; before the first load it waits for that. */
  readonly hook: Hook;
  /** Settles when every folder has been loaded once; begins those that have not. Never rejects. */
  ready(): Promise<void>;
}

const LIMIT_MS = 5000;

/** Nothing is read or run before the first load. */
export function createExtensions(options: ExtensionsOptions): Extensions {
  const { directories, log = () => undefined, limitMs = LIMIT_MS, takenCommands = [] } = options;
  const modules = createLazyModules(directories.length);
  const folders: readonly ExtensionFolder[] = directories.map((directory, index) =>
    createExtensionFolder(directory, {
      modules,
      log,
      limitMs,
      others: () => folders.filter((_, at) => at !== index).flatMap((folder) => folder.instances()),
    }),
  );
  const instances = (): readonly Instance[] => folders.flatMap((folder) => folder.instances());
  const hooks = (): readonly Hook[] => instances().flatMap((instance) => instance.hooks);
  const listensAt = (point: HookPoint): boolean =>
    folders.some((folder) => folder.instances().some((instance) => hasHookAt(instance, point)));
  const offers = (): Offers => offersOf(instances(), takenCommands);
  const loads = createLoads(folders);
  const sources = directories.map((directory, index): ToolSource => {
    const folder = folders[index] as ExtensionFolder;
    const name = `extensions:${directory.name}`;
    return {
      name,
      async load(signal) {
        await loads.run(folder, signal);
        const tools = folder.instances().flatMap((instance) => instance.tools);
        return { tools, problems: [...folder.problems(), ...clashesOf(offers(), folder, name)] };
      },
      watch: (changed) => watchFolders(watchedIn(directory.path), changed),
      async close() {
        await folder.close();
        modules.close();
      },
    };
  });
  const mayHave = (): boolean => directories.some(({ path }) => existsSync(path));
  return {
    sources,
    hooks,
    commands: () => offers().commands,
    providers: () => offers().providers,
    hook: createForwardHook({ hooks, listensAt, ready: loads.awaited(mayHave) }),
    ready: () => loads.all(),
  };
}

function hasHookAt({ hooks }: Instance, point: HookPoint): boolean {
  return hooks.some((hook) => hook.on.includes(point));
}

function clashesOf({ clashes }: Offers, folder: ExtensionFolder, source: string): readonly SourceProblem[] {
  const own = clashes.filter(({ instance }) => folder.instances().includes(instance));
  return own.map(({ instance, message }) => {
    return { source, subject: `extension:${instance.name}`, reason: "name_taken", message };
  });
}

interface Loads {
  run(folder: ExtensionFolder, signal: AbortSignal): Promise<void>;
  all(): Promise<void>;
  /** What is to be waited for; undefined where every folder has been loaded or there is nothing in them. */
  awaited(mayHave: () => boolean): () => Promise<void> | undefined;
}

/** Loads one folder after the other: what one may have depends on what the others have. */
function createLoads(folders: readonly ExtensionFolder[]): Loads {
  const loaded = new Set<ExtensionFolder>();
  const serialize = createSerializer();
  let first: Promise<void> | undefined;
  const run = (folder: ExtensionFolder, signal: AbortSignal): Promise<void> =>
    serialize(() => folder.load(signal)).finally(() => loaded.add(folder));
  const all = (): Promise<void> => {
    const open = folders.filter((folder) => !loaded.has(folder));
    first ??= Promise.allSettled(open.map((folder) => run(folder, new AbortController().signal))).then(
      () => undefined,
    );
    return first;
  };
  return {
    run,
    all,
    awaited(mayHave) {
      let mustWait: boolean | undefined;
      return () => {
        mustWait ??= mayHave();
        if (mustWait && loaded.size === folders.length) mustWait = false;
        return mustWait ? all() : undefined;
      };
    },
  };
}

/** Made for the first module; closed when all that shared it have closed it. */
function createLazyModules(shares: number): Modules {
  let made: Modules | undefined;
  let open = shares;
  return {
    load(...given) {
      made ??= createModules();
      return made.load(...given);
    },
    close() {
      open -= 1;
      if (open === 0) made?.close();
    },
  };
}
