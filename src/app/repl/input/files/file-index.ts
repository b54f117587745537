import { runRipgrep } from "../../../../system/process/ripgrep.ts";
import { indexPath, type IndexedPath } from "./find-files.ts";

/** A list of more paths would take long to make, and longer to look through than a key may take. */
const MAX_FILES = 200_000;
const LIST_MS = 10_000;
/** A list older than this is made again, while the old one is used. */
const FRESH_MS = 5_000;

/** The files and folders of a workspace, without those that .gitignore names. */
export type FileIndex = ReturnType<typeof createFileIndex>;

/** Creates the list of a workspace, which is made when it is first needed. `list` returns the files. */
export function createFileIndex(workspace: string, list = listFiles) {
  let paths: Promise<readonly IndexedPath[]> | undefined;
  let madeAt = -Infinity;
  let isMaking = false;
  const make = async (): Promise<readonly IndexedPath[]> => {
    isMaking = true;
    try {
      return withFolders(await list(workspace)).map(indexPath);
    } finally {
      isMaking = false;
      madeAt = performance.now();
    }
  };
  return {
    /** Returns the paths. Never rejects: without ripgrep, or in a folder that cannot be read, there are none. */
    paths(): Promise<readonly IndexedPath[]> {
      const isOld = performance.now() - madeAt > FRESH_MS;
      if (paths !== undefined && (!isOld || isMaking)) return paths;
      const next = make().catch(() => []);
      if (paths === undefined) return (paths = next);
      void next.then((made) => (paths = Promise.resolve(made)));
      return paths;
    },
  };
}

/** Returns the files of a folder, relative to it, as ripgrep lists them. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  await runRipgrep({
    args: ["--files", "--hidden", "--glob=!.git", "--null"],
    separator: "\0",
    cwd: folder,
    signal: new AbortController().signal,
    until: AbortSignal.timeout(LIST_MS),
    onLine: (file) => files.push(file) < MAX_FILES,
  });
  return files;
}

function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return [...folders, ...files];
}
