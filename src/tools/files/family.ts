import type { Tool } from "../../core/tool.ts";
import { createFileOperations } from "../../system/files/operations.ts";
import { recoverChanges } from "../../system/files/recover-changes.ts";
import { checkRoot } from "../shared/check-root.ts";
import { applyPatch } from "./patch/apply-patch.ts";
import { deleteFile } from "./edit/delete-file.ts";
import { editFile, fileMultiEdit } from "./edit/edit-file.ts";
import { glob } from "./search/glob.ts";
import { grep } from "./search/grep.ts";
import { ls } from "./search/ls.ts";
import type { FilesOptions } from "./shared/options.ts";
import { readFile } from "./read/read-file.ts";
import { readManyFiles } from "./read/read-many-files.ts";
import { strReplaceEditor } from "./edit/str-replace-editor.ts";
import { writeFile } from "./edit/write-file.ts";

/** Returns the tools that find, read and change files. */
export function fileTools(given: FilesOptions): Tool[] {
  checkRoot("fileTools", given);
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
