import type { Tool } from "../../core/tool.ts";
import { createFileOperations } from "../../system/files/operations.ts";
import { recoverChanges } from "../../system/files/recover-changes.ts";
import { checkRootedOptions } from "../shared/check-tool-options.ts";
import { APPLY_PATCH, applyPatch } from "./patch/apply-patch.ts";
import { DELETE_FILE, deleteFile } from "./edit/delete-file.ts";
import { FILE_MULTI_EDIT, EDIT_FILE, editFile, fileMultiEdit } from "./edit/edit-file.ts";
import { GLOB, glob } from "./search/glob.ts";
import { grep } from "./search/grep.ts";
import { GREP } from "./search/grep-search.ts";
import { LS, ls } from "./search/ls.ts";
import type { FilesOptions } from "./shared/options.ts";
import { READ_FILE, readFile } from "./read/read-file.ts";
import { READ_MANY_FILES, readManyFiles } from "./read/read-many-files.ts";
import { STR_REPLACE_EDITOR, strReplaceEditor } from "./edit/str-replace-editor.ts";
import { WRITE_FILE, writeFile } from "./edit/write-file.ts";

/** Returns the tools that find, read and change files. */
export function fileTools(given: FilesOptions): Tool[] {
  checkRootedOptions("fileTools", given);
  // Shared, so that folders are synced once.
  const options = { operations: createFileOperations(given.changesFolder), ...given };
  if (given.changesFolder !== undefined) recoverChanges(given.changesFolder);
  return [
    glob(options),
    ls(options),
    grep(options),
    readFile(options),
    readManyFiles(options),
    writeFile(options),
    editFile(options),
    fileMultiEdit(options),
    applyPatch(options),
    strReplaceEditor(options),
    deleteFile(options),
  ];
}

/** The tools of this family by name, for `builtIn`. */
export const FILES_NAMED = {
  glob: GLOB,
  ls: LS,
  grep: GREP,
  readFile: READ_FILE,
  readManyFiles: READ_MANY_FILES,
  writeFile: WRITE_FILE,
  editFile: EDIT_FILE,
  fileMultiEdit: FILE_MULTI_EDIT,
  applyPatch: APPLY_PATCH,
  strReplaceEditor: STR_REPLACE_EDITOR,
  deleteFile: DELETE_FILE,
};
