import { stat } from "node:fs/promises";
import { resolve } from "node:path";

/** `@path` or `@"a path"`, at the start of a word; lines may follow the quotes. */
const REFERENCE = /(?<=^|\s)@(?:"([^"\n]+)"(:\d+(?:-\d+)?)?|([^\s"]+))/g;

/** A file or folder that a text names. */
export interface Reference {
  /** As it is typed, without the `@`. */
  readonly typed: string;
  readonly path: string;
  readonly isFolder: boolean;
  /** The first line, and the last one if the text names it. */
  readonly lines?: { readonly first: number; readonly last: number };
}

/** Returns whether a text names files to attach. */
export function hasReferences(text: string): boolean {
  return text.search(REFERENCE) >= 0;
}

/** How many earlier messages are searched for paths. */
const MAX_SEARCHED = 200;

/** Returns the paths that messages name, those of the last message last. */
export function recentPaths(messages: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const message of messages.slice(-MAX_SEARCHED))
    for (const [, quoted, , plain = ""] of message.matchAll(REFERENCE)) {
      const path = (quoted ?? plain).replace(/:\d+(?:-\d+)?$/, "").replace(/[.,;:!?)]+$/, "");
      paths.delete(path);
      paths.add(path);
    }
  return paths;
}

/** Finds what the references of a text name, each once; references to nothing are `missing`. */
export async function findReferences(text: string, { workspace, home }: Pick<Folders, "workspace" | "home">) {
  const names = Array.from(text.matchAll(REFERENCE), ([, quoted, lines = "", plain = ""]) =>
    quoted === undefined ? plain : quoted + lines,
  );
  const references: Reference[] = [];
  const missing: string[] = [];
  for (const name of new Set(names)) {
    const reference = await findOne(name, { workspace, home });
    if (reference === undefined) missing.push(`@${name}`);
    else references.push(reference);
  }
  return { found: references, missing };
}

interface Folders {
  readonly workspace: string;
  readonly home: string;
}

/** Takes the name as it is first: a file may have a colon in its name, and a sentence may end behind it. */
async function findOne(name: string, { workspace, home }: Folders): Promise<Reference | undefined> {
  for (const typed of new Set([name, name.replace(/[.,;:!?)]+$/, "")])) {
    const [, path = typed, first, last] = /^(.+):(\d+)(?:-(\d+))?$/.exec(typed) ?? [];
    for (const one of new Set([typed, path])) {
      const entry = await stat(resolve(workspace, one.replace(/^~(?=\/)/, home))).catch(() => undefined);
      if (entry === undefined) continue;
      const lines = one !== typed && first !== undefined ? { lines: linesOf(first, last) } : {};
      return { typed, path: one, isFolder: entry.isDirectory(), ...lines };
    }
  }
  return undefined;
}

function linesOf(first: string, last = first): { readonly first: number; readonly last: number } {
  const [start, end] = [Number(first), Number(last)].toSorted((one, other) => one - other);
  return { first: Math.max(1, start ?? 1), last: Math.max(1, end ?? 1) };
}
