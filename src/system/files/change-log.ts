import { dirname } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { currentProcess, type ProcessIdentity } from "../process/identity.ts";
import {
  addUsedFolder,
  removeCommit,
  removeRecord,
  removeUsedFolders,
  writeCommit,
  writeRecord,
  type CommitFile,
} from "./change-record.ts";

/** Records changes of files for `recoverChanges`. */
export interface ChangeLog {
  /**
   * Records a change before it begins and returns its id, which the names of its temporary files contain. `made` are the folders that
   * it creates, outermost first.
   */
  readonly beginChange: (paths: readonly string[], made: readonly string[]) => Promise<string>;
  /** Marks a change of several files as one that is undone after a crash. */
  readonly beginCommit: (id: string, files: readonly CommitFile[]) => Promise<void>;
  /** Removes the mark: the change is made. */
  readonly endCommit: (id: string) => Promise<void>;
  /** Removes the record of a change. */
  readonly endChange: (id: string) => Promise<void>;
  /** Records that temporary files of a change could not be removed from a folder: `recoverChanges` removes them after this process. */
  readonly leaveFiles: (id: string, used: string) => Promise<void>;
}

/** Creates the log in a folder; without one, nothing is recorded. */
export function createChangeLog(folder?: string): ChangeLog {
  let own: string | undefined;
  const used = new Set<string>();
  const recorded = new Set<string>();
  let owner: ProcessIdentity | undefined;
  let count = 0;
  if (folder === undefined) {
    const nothing = (): Promise<void> => Promise.resolve();
    return {
      beginChange: async () => crypto.randomUUID(),
      beginCommit: nothing,
      endCommit: nothing,
      endChange: nothing,
      leaveFiles: nothing,
    };
  }
  return {
    async beginChange(paths, made) {
      owner ??= currentProcess();
      const [path = ""] = paths;
      if (paths.length > 1 || made.length > 0) {
        const id = crypto.randomUUID();
        writeRecord(folder, { id, owner, paths, made });
        recorded.add(id);
        return id;
      }
      // One file is replaced in one step: only a temporary file can be left, and its folder is recorded once.
      own ??= crypto.randomUUID();
      if (!used.has(dirname(path))) {
        addUsedFolder(folder, { id: own, owner }, dirname(path));
        if (used.size === 0) removeAtExit(folder, own);
        used.add(dirname(path));
      }
      count += 1;
      return `${own}-${count}`;
    },
    beginCommit: async (id, files) => writeCommit(folder, id, files),
    endCommit: async (id) => removeCommit(folder, id),
    async endChange(id) {
      if (recorded.has(id)) removeRecord(folder, id);
      recorded.delete(id);
    },
    leaveFiles: async (id, used) => addUsedFolder(folder, { id, owner: (owner ??= currentProcess()) }, used),
  };
}

const atExit: (() => void)[] = [];

/** Removes the list of used folders when this process exits; after a crash `recoverChanges` reads it. One listener for all. */
function removeAtExit(folder: string, id: string): void {
  if (atExit.length === 0)
    process.on("exit", () => {
      for (const remove of atExit) remove();
    });
  // If it cannot be removed, the next process does it.
  atExit.push(() => attempt(() => removeUsedFolders(folder, id)));
}
