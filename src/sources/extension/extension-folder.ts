import { join } from "node:path";
import type { SourceProblem } from "../../core/source.ts";
import { hashTree, type HashedTree } from "../../system/files/content-hash.ts";
import { within, openInstance, type Instance, type Log } from "./instance.ts";
import { listExtensions, type ListedExtension, type ExtensionFile } from "./list-extensions.ts";
import type { Modules } from "./modules.ts";
import { UNTRUSTED, type Problem } from "../runnable-names.ts";
import { problemOf } from "./problem-of.ts";
import { ToolError } from "../../core/errors.ts";
import type { Extension } from "./extension.ts";
import { isWord } from "./check-parts.ts";

/** A folder whose modules are extensions. */
export interface ExtensionDirectory {
  /** Its source is named `extensions:NAME`. */
  readonly name: string;
  /** Each module or folder in it is an extension. */
  readonly path: string;
  /**
   * Called for each extension before it is loaded, with its file or folder name and the SHA-256 of its content. An untrusted extension
   * is never run; a trusted one may import only its own files. Default: all extensions in the folder are trusted.
   */
  readonly isTrusted?: (entry: string, hash: string) => boolean;
}

interface FolderOptions {
  readonly modules: Modules;
  readonly log: Log;
  /** Time limit for import and setup together. */
  readonly limitMs: number;
  /** Returns the extensions of the other folders. */
  others(): readonly Instance[];
}

/** The extensions of one folder. */
export type ExtensionFolder = ReturnType<typeof createExtensionFolder>;

interface Slot {
  readonly instance: Instance | undefined;
  /** The stamp of the loaded content; undefined if the next load must try again. */
  readonly stamp: string | undefined;
  readonly sealed: HashedTree | undefined;
  readonly problems: readonly Problem[];
}

type Slots = ReadonlyMap<string, Slot>;

const EMPTY: Slot = { instance: undefined, stamp: undefined, sealed: undefined, problems: [] };
/** How long `close` waits for running functions. */
const CLOSING_MS = 2000;

export function createExtensionFolder(directory: ExtensionDirectory, options: FolderOptions) {
  let slots: Slots = new Map();
  /** The instances of the slots, cached because every call reads them. */
  let instances: readonly Instance[] = [];
  let isClosed = false;
  const retiring = new Set<Promise<void>>();
  const retire = (instance: Instance, waitMs?: number): void => {
    const ending = instance.retire(waitMs).then(() => void retiring.delete(ending));
    retiring.add(ending);
  };
  return {
    /** Loads new and changed extensions; the others stay as they are. Rejects, and changes nothing, if the folder cannot be read. */
    async load(signal: AbortSignal): Promise<void> {
      if (isClosed) return;
      const listed = await listExtensions(directory.path);
      const opened = await Promise.all(
        listed.map(async (one) => {
          const entry = "file" in one ? one.file.entry : one.entry;
          return [entry, await open(one, slots.get(entry) ?? EMPTY, directory, options)] as const;
        }),
      );
      const old = [...instances, ...instancesOf(new Map(opened))];
      if (!signal.aborted && !isClosed) slots = settleNames(new Map(opened), slots, options.others());
      instances = instancesOf(slots);
      const current = new Set(instances);
      // Deferred until the new tools are registered.
      setImmediate(() => {
        for (const instance of new Set(old)) if (!current.has(instance)) retire(instance);
      });
      signal.throwIfAborted();
    },
    instances: (): readonly Instance[] => instances,
    problems: (): readonly SourceProblem[] =>
      [...slots].flatMap(([entry, { problems }]) =>
        problems.map((problem) => ({
          source: `extensions:${directory.name}`,
          subject: join(directory.path, entry),
          ...problem,
        })),
      ),
    async close(): Promise<void> {
      isClosed = true;
      for (const instance of instances) retire(instance, CLOSING_MS);
      slots = new Map();
      instances = [];
      await within(2 * CLOSING_MS, Promise.all(retiring)).catch(() => undefined);
    },
  };
}

/** Loads one extension. A version that fails to load never replaces a loaded one. */
async function open(
  one: ListedExtension,
  before: Slot,
  { isTrusted }: ExtensionDirectory,
  options: FolderOptions,
): Promise<Slot> {
  if ("problem" in one) return { ...EMPTY, problems: [one.problem] };
  const { file } = one;
  const isSame = before.instance !== undefined && before.stamp === file.stamp;
  const sealed = isSame || isTrusted === undefined ? before.sealed : hashTree(file.root);
  if (isTrusted !== undefined && (sealed === undefined || !isTrusted(file.entry, sealed.hash)))
    return { ...EMPTY, problems: [untrusted(sealed)] };
  if (isSame) return { ...before, problems: [] };
  try {
    const instance = await openExtension(file, options, sealed);
    return { instance, stamp: file.stamp, sealed, problems: [] };
  } catch (error) {
    return withProblem(before, problemOf(error));
  }
}

/** Resolves name conflicts: a loaded extension keeps its name; among new ones the first wins. */
function settleNames(opened: Slots, before: Slots, others: readonly Instance[]): Slots {
  const isUnchanged = (entry: string, { instance }: Slot): boolean =>
    before.get(entry)?.instance === instance;
  const unchanged = [...opened].flatMap(([entry, slot]) =>
    isUnchanged(entry, slot) ? (slot.instance ?? []) : [],
  );
  const holders = [...others, ...unchanged];
  const settled = [...opened].map(([entry, slot]): readonly [string, Slot] => {
    const { instance } = slot;
    if (instance === undefined || isUnchanged(entry, slot)) return [entry, slot];
    if (holders.some(({ name }) => name === instance.name))
      return [
        entry,
        withProblem(before.get(entry) ?? EMPTY, {
          reason: "name_taken",
          message: `there is already an extension "${instance.name}"`,
        }),
      ];
    holders.push(instance);
    return [entry, slot];
  });
  return new Map(settled);
}

function withProblem(before: Slot, { message, ...problem }: Problem): Slot {
  const still = before.instance === undefined ? "" : "; the previous version is still in use";
  return { ...before, stamp: undefined, problems: [{ ...problem, message: `${message}${still}` }] };
}

function instancesOf(slots: Slots): readonly Instance[] {
  return [...slots.values()].flatMap(({ instance }) => instance ?? []);
}

function untrusted(sealed: HashedTree | undefined): Problem {
  if (sealed === undefined)
    return {
      reason: "too_large",
      message: "it is too large to be trusted, or contains a link to a file outside of it",
    };
  return UNTRUSTED;
}

/** Imports a new instance of an extension, only `sealed` files if given, and sets it up. Rejects on failure and after the time limit. */
async function openExtension(
  file: ExtensionFile,
  { modules, log, limitMs }: FolderOptions,
  sealed: HashedTree | undefined,
): Promise<Instance> {
  const until = performance.now() + limitMs;
  const loaded = await within(limitMs, modules.load(file.main, file.root, sealed?.files));
  const extension = toExtension("default" in loaded ? loaded.default : undefined, file.entry);
  return openInstance(extension, log, limitMs, Math.max(1, until - performance.now()));
}

/** Accepts an extension, or a setup function of an extension that is named after its file. */
function toExtension(exported: unknown, entry: string): Extension {
  if (typeof exported === "function") {
    return checked({ name: entry.replace(/\.[^.]*$/, ""), setup: exported as Extension["setup"] });
  }
  const { name, setup } = (exported ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name === "string" && typeof setup === "function") return checked(exported as Extension);
  throw new ToolError("INVALID_INPUT", "its default export is not an extension", {
    hint: "export default defineExtension({ name, setup(api) { … } })",
    details: { reason: "bad_schema" },
  });
}

function checked(extension: Extension): Extension {
  if (isWord(extension.name)) return extension;
  throw new ToolError("INVALID_INPUT", `${JSON.stringify(extension.name)} is not a valid extension name`, {
    hint: "use up to 64 letters, digits, dashes and underscores",
    details: { reason: "bad_name" },
  });
}
