import type { Tool } from "../../core/tool.ts";
import { createFileOperations } from "../../system/files/operations.ts";
import { applyPatch } from "./apply-patch.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { fileMultiEdit } from "./file-multi-edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import type { FilesOptions } from "./options.ts";
import { readFile } from "./read-file.ts";
import { readManyFiles } from "./read-many-files.ts";
import { strReplaceEditor } from "./str-replace-editor.ts";
import { writeFile } from "./write-file.ts";

/** The tools that find, read and change files. */
export function fileTools(given: FilesOptions): Tool[] {
  // One for all, so that they share the syncs of folders.
  const options = { operations: createFileOperations(), ...given };
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
