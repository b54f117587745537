import { constants } from "node:fs";
import type { PathFact } from "../../core/fact.ts";
import { openTarget } from "../../system/files.ts";
import type { HeldFolder } from "../../system/paths-folder.ts";
import { holdTarget } from "../../system/paths-folder.ts";
import { existed, lstatOrNothing } from "../../system/paths.ts";
import type { PathMatch } from "./glob-pattern.ts";
import { compileGlob } from "./glob-pattern.ts";
import { listFiles, walkFlags } from "./list-files.ts";
import { missingFile } from "./missing-file.ts";

/** Where ripgrep searches: a folder, or one file that it is handed as its input. */
export interface Place {
  readonly cwd: string;
  /** The number of the open file. */
  readonly stdin?: number;
  /** Which files of the folder, as ripgrep is told. */
  readonly filter: readonly string[];
  readonly args: readonly string[];
  /** Tells among the files ripgrep reports those that were really meant. */
  readonly isMeant: PathMatch;
  close(): Promise<void>;
}

/** Opens what was judged, so that the search cannot be led elsewhere. */
export async function openPlace(
  fact: PathFact,
  include: string | undefined,
  signal: AbortSignal,
): Promise<Place> {
  const found = existed(fact) ? await lstatOrNothing(fact.path) : undefined;
  if (found === undefined) throw await missingFile(fact.path, fact.path);
  return found.isDirectory() ? folderPlace(fact, include, signal) : filePlace(fact);
}

async function filePlace(fact: PathFact): Promise<Place> {
  const { handle } = await openTarget(fact, constants.O_RDONLY);
  return {
    cwd: "/",
    stdin: handle.fd,
    filter: [],
    args: ["-"],
    isMeant: () => true,
    close: () => handle.close(),
  };
}

async function folderPlace(fact: PathFact, include: string | undefined, signal: AbortSignal): Promise<Place> {
  const folder = await holdTarget(fact);
  try {
    const { filter, isMeant } = await chooseFiles(folder, include?.replace(/^\.\//, ""), signal);
    return { cwd: folder.here, filter, args: [...filter, "./"], isMeant, close: () => folder.close() };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/**
 * A glob given to ripgrep takes back what .gitignore says. A glob of names can be given as a file type, which does not;
 * for one of paths, the files that are both meant and not ignored are listed first.
 */
async function chooseFiles(
  folder: HeldFolder,
  include: string | undefined,
  signal: AbortSignal,
): Promise<Pick<Place, "filter" | "isMeant">> {
  if (include === undefined) return { filter: [], isMeant: () => true };
  const matches = compileGlob(include);
  if (!/[/:]/.test(include)) {
    // A type takes back that hidden files are left out.
    const isMeant: PathMatch = (path) => !path.slice(path.lastIndexOf("/") + 1).startsWith(".");
    return { filter: [`--type-add=meant:${include}`, "--type=meant"], isMeant };
  }
  const meant = new Set<string>();
  const walk = { includeHidden: false, respectGitignore: true };
  await listFiles({
    folder,
    ...walk,
    signal,
    onFile(path) {
      if (matches(path)) meant.add(path);
    },
  });
  return { filter: [`--glob=${include}`, ...walkFlags(walk)], isMeant: (path) => meant.has(path) };
}
