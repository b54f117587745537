import type { Collections } from "../../../core/store/collection.ts";
import type { FileOperations } from "../../../system/files/operations.ts";

/** What the tools of the family need. */
export interface FilesOptions {
  /** The canonical folder where relative paths begin. */
  readonly root: string;
  /** Canonical folders besides the root that belong to the workspace. */
  readonly roots?: readonly string[];
  /** What a leading `~/` stands for. */
  readonly home?: string;
  /** Where a session's knowledge of files and its steps to undo are kept; left out: in memory, with the session. */
  readonly collections?: Collections;
  /** Where deleted files go; left out: delete_file refuses, and what apply_patch deletes is gone. */
  readonly trashFolder?: string;
  /** Toolwright's own folders: nothing in them is deleted. */
  readonly stateFolders?: readonly string[];
  /** How files are written; left out: by the operating system. A test makes single steps fail. */
  readonly operations?: FileOperations;
}
