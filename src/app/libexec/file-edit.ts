import { isObject } from "../../core/json.ts";
import { editFile } from "../../tools/files/edit/edit-file.ts";
import { EDITING } from "../../tools/files/edit/edit-text-file.ts";
import type { Program } from "./program.ts";

/** `edit_file`. */
export const program: Program = {
  name: "file_edit",
  description: `Replaces text in a file: give old_string and new_string, or a list of edits. ${EDITING}`,
  parameters: { path: "The file, relative to the current folder or absolute" },
  returns: {
    path: { type: "string" },
    replacements: { type: "integer" },
    diff: { type: "string", description: "In unified form" },
    tolerated: { type: "array", description: "What was overlooked to find old_string", items: {} },
  },
  example: { path: "notes.txt", old_string: "first", new_string: "1st" },
  createTool: editFile,
  toResult: ({ data }) => (isObject(data) ? data : {}),
  codeOf({ details = {} }) {
    if (Object.hasOwn(details, "candidates")) return "NOT_FOUND";
    return Object.hasOwn(details, "count") ? "NOT_UNIQUE" : undefined;
  },
};
