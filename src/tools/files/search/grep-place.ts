import { constants } from "node:fs";
import type { PathFact } from "../../../core/fact.ts";
import { openTarget } from "../../../system/files/files.ts";
import { holdTarget, type HeldFolder } from "../../../system/paths/folder.ts";
import { existed, lstatIfExists } from "../../../system/paths/paths.ts";
import { ignoreFlags, lastNamesOf, nameFlags, listFiles } from "./list-files.ts";
import { ANY_FILE } from "./visible-files.ts";
import { compileGlob, patternBelow, type PathMatch } from "../../../util/text/glob-pattern.ts";
import { missingFile } from "../shared/missing-file.ts";

// Also where a file type, or a rule such as !*/ in a .gitignore, includes them again.
/** The ripgrep flag that excludes hidden files. */
const NOT_HIDDEN = "--glob=!.*";

/** What ripgrep searches: a folder, or one open file as its input. */
export interface Place {
  readonly cwd: string;
  /** The descriptor of the open file. */
  readonly stdin?: number;
  /** The open folder, where hits in it can be checked: on Linux. */
  readonly folder?: HeldFolder;
  /** The ripgrep flags that select files of the folder. */
  readonly filter: readonly string[];
  readonly args: readonly string[];
  /** True for files that match, among those that ripgrep reports. */
  readonly isMeant: PathMatch;
  /** Returns true if a visible file was searched, after a search without a match. */
  readonly hasFiles: (isVisible: PathMatch, search: Searched) => Promise<boolean>;
  close(): Promise<void>;
}

export interface Searched {
  /** How many files were searched, if ripgrep has printed it. */
  readonly searched: number | undefined;
  /** What could not be read. */
  readonly errors: string;
}

/** What ends the search: a cancellation, or the time limit, after which partial results are returned. */
export interface Ends {
  readonly signal: AbortSignal;
  readonly until: AbortSignal;
}

/** Opens the judged path, so that the search cannot be redirected. */
export async function openPlace(fact: PathFact, include: string | undefined, ends: Ends): Promise<Place> {
  const stats = existed(fact) ? await lstatIfExists(fact.path) : undefined;
  if (stats === undefined) throw await missingFile(fact.path, fact.path);
  return stats.isDirectory() ? folderPlace(fact, include, ends) : filePlace(fact);
}

async function filePlace(fact: PathFact): Promise<Place> {
  const { handle } = await openTarget(fact, constants.O_RDONLY);
  return {
    cwd: "/",
    stdin: handle.fd,
    filter: [],
    args: ["-"],
    isMeant: ANY_FILE,
    hasFiles: async () => true,
    close: () => handle.close(),
  };
}

async function folderPlace(fact: PathFact, include: string | undefined, ends: Ends): Promise<Place> {
  const folder = await holdTarget(fact);
  try {
    const chosen = await chooseFiles(folder, include && patternBelow(fact.path, include), ends);
    return {
      cwd: folder.here,
      ...(folder.here !== folder.path && { folder }),
      ...chosen,
      args: [...chosen.filter, "./"],
      close: () => folder.close(),
    };
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
  ends: Ends,
): Promise<Pick<Place, "filter" | "isMeant" | "hasFiles">> {
  const walk = [NOT_HIDDEN, ...ignoreFlags(folder, { respectGitignore: true })];
  if (include === undefined) return { filter: walk, isMeant: ANY_FILE, hasFiles: async () => true };
  const matches = compileGlob(include);
  const name = include.replace(/^(\*\*\/)+/, "");
  if (!/[/:]/.test(name) && name !== "**")
    return {
      filter: [...nameFlags([name]), ...walk],
      isMeant: ANY_FILE,
      async hasFiles(isVisible, { searched, errors }) {
        if (searched === 0 && errors === "") return false;
        if (searched !== undefined && searched > 0 && isVisible === ANY_FILE) return true;
        return hasFileNamed(folder, name, isVisible, ends);
      },
    };
  const meant = new Set<string>();
  await listFiles({
    folder,
    names: lastNamesOf(include),
    ...ends,
    onFile(path) {
      if (matches(path)) meant.add(path);
    },
  });
  return {
    filter: [`--glob=${include}`, ...walk],
    isMeant: (path) => meant.has(path),
    hasFiles: async (isVisible) => [...meant].some(isVisible),
  };
}

async function hasFileNamed(
  folder: HeldFolder,
  name: string,
  isVisible: PathMatch,
  { signal, until }: Ends,
): Promise<boolean> {
  let isFound = false;
  await listFiles({
    folder,
    names: [name],
    signal,
    until,
    onFile(path) {
      isFound ||= isVisible(path);
      return !isFound;
    },
  });
  // A search that ran out of time says so itself.
  return isFound || until.aborted;
}
