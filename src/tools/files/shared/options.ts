import type { Collections } from "../../../core/store/collection.ts";
import type { FileOperations } from "../../../system/files/operations.ts";

/** The options of the file tools. */
export interface FilesOptions {
  /** The canonical base folder of relative paths. */
  readonly root: string;
  /** Other canonical folders of the workspace. */
  readonly roots?: readonly string[];
  /** The meaning of a leading `~/`. */
  readonly home?: string;
  /** Where a session's known file versions and undo steps are stored; default: in memory, with the session. */
  readonly collections?: Collections;
  /** Where deleted files go; default: delete_file fails, and apply_patch deletes permanently. */
  readonly trashFolder?: string;
  /**
   * True: of a patch whose n-th file does not match, the files before it are changed, as Codex does, and the error names them; default:
   * none is.
   */
  readonly partialPatches?: boolean;
  /** Toolwright's own folders, in which nothing is deleted. */
  readonly stateFolders?: readonly string[];
  /**
   * Where locks and unfinished changes are recorded, so that processes do not overwrite each other's changes, and a change that was
   * killed is undone by the next process; default: none.
   */
  readonly changesFolder?: string;
  /** The file operations; default: those of the operating system, with locks and unfinished changes in `changesFolder`. */
  readonly operations?: FileOperations;
}
