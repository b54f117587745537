import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { existsSync } from "node:fs";
import type { ExtensionCommand, ProviderFactory } from "./extension.ts";
import type { Hook, HookPoint } from "../../core/hook.ts";
import type { SourceProblem, ToolSource } from "../../core/source.ts";
import { watchFolders } from "../watch-folders.ts";
import { createExtensionFolder, type ExtensionDirectory, type ExtensionFolder } from "./extension-folder.ts";
import { createForwardHook } from "./forward-hook.ts";
import type { Instance, Log } from "./instance.ts";
import { createModules, type Modules } from "./modules.ts";
import { watchedIn } from "./list-extensions.ts";
import { createSerializer } from "../../util/async/serialize.ts";

/** The folders of extensions, and their limits. */
export interface ExtensionsOptions {
  /** If two extensions have the same name, the first folder wins. */
  readonly directories: readonly ExtensionDirectory[];
  /** Command names that extensions cannot use. */
  readonly takenCommands?: readonly string[];
  /** Default: messages of extensions are dropped. */
  readonly log?: Log;
  /** Time limit for the import and the setup of one extension; default: 5 s. */
  readonly limitMs?: number;
}

/** The extensions of folders: their tools as sources, and their current commands, providers and hooks. */
export interface Extensions {
  /** One source per folder, so that a folder that cannot be read does not affect the others. Closing one unloads its extensions. */
  readonly sources: readonly ToolSource[];
  /** Returns the commands by name, as they are now. */
  commands(): ReadonlyMap<string, ExtensionCommand>;
  /** Returns the providers of models by name, as they are now. */
  providers(): ReadonlyMap<string, ProviderFactory>;
  /** Returns the hooks of all extensions, as they are now. */
  hooks(): readonly Hook[];
  /** Calls the current hooks of all extensions; waits for the first load. */
  readonly hook: Hook;
  /** Resolves when every folder has been loaded once; starts those that have not. Never rejects. */
  ready(): Promise<void>;
}

const LIMIT_MS = 5000;

const KINDS: OptionKinds<ExtensionsOptions> = {
  directories: "a list",
  takenCommands: "a list of texts",
  log: "a function",
  limitMs: "a positive number",
};

/** Creates the extensions of folders. Reads and runs nothing before the first load. */
export function createExtensions(options: ExtensionsOptions): Extensions {
  checkOptions("createExtensions", options, KINDS);
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
    folders.some((folder) =>
      folder.instances().some((instance) => instance.hooks.some((hook) => hook.on.includes(point))),
    );
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
        return { tools, problems: [...folder.problems(), ...conflictsOf(offers(), folder, name)] };
      },
      watch: (changed) => watchFolders(watchedIn(directory.path), changed),
      async close() {
        await folder.close();
        modules.close();
      },
    };
  });
  const mayExist = (): boolean => directories.some(({ path }) => existsSync(path));
  return {
    sources,
    hooks,
    commands: () => offers().commands,
    providers: () => offers().providers,
    hook: createForwardHook({ hooks, listensAt, ready: loads.awaited(mayExist) }),
    ready: () => loads.all(),
  };
}

function conflictsOf(
  { conflicts }: Offers,
  folder: ExtensionFolder,
  source: string,
): readonly SourceProblem[] {
  const own = conflicts.filter(({ instance }) => folder.instances().includes(instance));
  return own.map(({ instance, message }) => {
    return { source, subject: `extension:${instance.name}`, reason: "name_taken", message };
  });
}

/** Loads one folder at a time: which names are free depends on the other folders. */
function createLoads(folders: readonly ExtensionFolder[]) {
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
    /** Returns a function that gives the promise to wait for, or undefined if all folders are loaded or none exists. */
    awaited(mayExist: () => boolean): () => Promise<void> | undefined {
      let mustWait: boolean | undefined;
      return () => {
        mustWait ??= mayExist();
        if (mustWait && loaded.size === folders.length) mustWait = false;
        return mustWait ? all() : undefined;
      };
    },
  };
}

/** Created with the first module; closed when all sources have closed it. */
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

/** The commands and providers of extensions, by name. Of two with the same name the first wins. */
interface Offers {
  readonly commands: ReadonlyMap<string, ExtensionCommand>;
  readonly providers: ReadonlyMap<string, ProviderFactory>;
  readonly conflicts: readonly NameConflict[];
}

interface NameConflict {
  readonly instance: Instance;
  readonly message: string;
}

function offersOf(instances: readonly Instance[], takenCommands: readonly string[]): Offers {
  const commands = new Map<string, ExtensionCommand>();
  const providers = new Map<string, ProviderFactory>();
  const conflicts: NameConflict[] = [];
  for (const instance of instances) {
    for (const command of instance.commands) {
      if (commands.has(command.name) || takenCommands.includes(command.name))
        conflicts.push({ instance, message: `there is already a command /${command.name}` });
      else commands.set(command.name, command);
    }
    for (const [name, factory] of instance.providers) {
      if (providers.has(name)) conflicts.push({ instance, message: `there is already a provider "${name}"` });
      else providers.set(name, factory);
    }
  }
  return { commands, providers, conflicts };
}
