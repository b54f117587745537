import { join } from "node:path";
import type { SourceProblem } from "../../core/source.ts";
import type { HashedTree } from "../../system/files/content-hash.ts";
import { hashTree } from "../../system/files/content-hash.ts";
import type { Instance, Log } from "./instance.ts";
import { within } from "./instance.ts";
import type { ListedExtension } from "./list-extensions.ts";
import { listExtensions } from "./list-extensions.ts";
import type { Modules } from "./modules.ts";
import { openExtension } from "./open-extension.ts";
import type { Problem } from "../problem.ts";
import { problemOf } from "./problem-of.ts";

/** A folder whose modules are extensions. */
export interface ExtensionDirectory {
  /** Names it: `extensions:NAME` is its source. */
  readonly name: string;
  readonly path: string;
  /**
   * Asked of each extension before it is loaded, with its file or folder name and the SHA-256 of its content; one that is not
   * trusted is never run, and one that is may import nothing but its own files. Left out: the folder is trusted as a whole.
   */
  readonly isTrusted?: (entry: string, hash: string) => boolean;
}

export interface FolderOptions {
  readonly modules: Modules;
  readonly log: Log;
  readonly limitMs: number;
  /** The extensions of the other folders. */
  others(): readonly Instance[];
}

/** The extensions of one folder. */
export interface ExtensionFolder {
  /** Loads what is new or has changed; what has not stays as it is. Rejects, and changes nothing, where the folder cannot be read. */
  load(signal: AbortSignal): Promise<void>;
  instances(): readonly Instance[];
  problems(): readonly SourceProblem[];
  close(): Promise<void>;
}

interface Slot {
  readonly instance: Instance | undefined;
  /** Of the content that the instance was loaded from; undefined where a load should try again. */
  readonly stamp: string | undefined;
  readonly sealed: HashedTree | undefined;
  readonly problems: readonly Problem[];
}

type Slots = ReadonlyMap<string, Slot>;

const EMPTY: Slot = { instance: undefined, stamp: undefined, sealed: undefined, problems: [] };
/** How long closing waits for what still runs. */
const CLOSING_MS = 2000;

export function createExtensionFolder(
  directory: ExtensionDirectory,
  options: FolderOptions,
): ExtensionFolder {
  let slots: Slots = new Map();
  /** Of the slots: every call asks for them. */
  let instances: readonly Instance[] = [];
  let isClosed = false;
  const retiring = new Set<Promise<void>>();
  const retire = (instance: Instance, waitMs?: number): void => {
    const ending = instance.retire(waitMs).then(() => void retiring.delete(ending));
    retiring.add(ending);
  };
  return {
    async load(signal) {
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
      // A turn later, when the new tools have taken their places.
      setImmediate(() => {
        for (const instance of new Set(old)) if (!current.has(instance)) retire(instance);
      });
      signal.throwIfAborted();
    },
    instances: () => instances,
    problems: () =>
      [...slots].flatMap(([entry, { problems }]) =>
        problems.map((problem) => toProblem(directory, entry, problem)),
      ),
    async close() {
      isClosed = true;
      for (const instance of instances) retire(instance, CLOSING_MS);
      slots = new Map();
      instances = [];
      await within(2 * CLOSING_MS, Promise.all(retiring)).catch(() => undefined);
    },
  };
}

/** What becomes of one extension. A version that cannot be loaded never takes the place of one that could. */
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
    const instance = await openExtension(file, { ...options, sealed });
    return { instance, stamp: file.stamp, sealed, problems: [] };
  } catch (error) {
    return keeping(before, problemOf(error));
  }
}

/** A name belongs to whoever has it; of those that are new, to the first. */
function settleNames(opened: Slots, before: Slots, others: readonly Instance[]): Slots {
  const isKept = (entry: string, { instance }: Slot): boolean => before.get(entry)?.instance === instance;
  const kept = [...opened].flatMap(([entry, slot]) => (isKept(entry, slot) ? (slot.instance ?? []) : []));
  const holders = [...others, ...kept];
  const settled = [...opened].map(([entry, slot]): readonly [string, Slot] => {
    const { instance } = slot;
    if (instance === undefined || isKept(entry, slot)) return [entry, slot];
    if (holders.some(({ name }) => name === instance.name))
      return [entry, keeping(before.get(entry) ?? EMPTY, taken(instance.name))];
    holders.push(instance);
    return [entry, slot];
  });
  return new Map(settled);
}

function keeping(before: Slot, { message, ...problem }: Problem): Slot {
  const still = before.instance === undefined ? "" : "; the version before it is still in use";
  return { ...before, stamp: undefined, problems: [{ ...problem, message: `${message}${still}` }] };
}

function instancesOf(slots: Slots): readonly Instance[] {
  return [...slots.values()].flatMap(({ instance }) => instance ?? []);
}

function taken(name: string): Problem {
  return { reason: "name_taken", message: `there is already an extension "${name}"` };
}

function untrusted(sealed: HashedTree | undefined): Problem {
  if (sealed === undefined)
    return { reason: "too_large", message: "it is too large to be trusted, or a link in it leads elsewhere" };
  return {
    reason: "untrusted",
    message: "it belongs to a folder that is not trusted, or has changed since it was",
    hint: "run toolwright trust",
  };
}

function toProblem({ name, path }: ExtensionDirectory, entry: string, problem: Problem): SourceProblem {
  return { source: `extensions:${name}`, subject: join(path, entry), ...problem };
}
