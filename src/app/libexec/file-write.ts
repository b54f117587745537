import { isObject } from "../../core/json.ts";
import { writeFile } from "../../tools/files/edit/write-file.ts";
import type { Program } from "./program.ts";

/** `write_file`; without a session nobody knows what the caller has seen, so a file is replaced as it is. */
export const program: Program = {
  name: "file_write",
  description:
    "Writes a whole file: creates it, with the folders it needs, or replaces what it contained. " +
    "The change is atomic and the file keeps its mode. To change a part of a file use file_edit.",
  parameters: { path: "The file, relative to the current folder or absolute" },
  returns: {
    path: { type: "string" },
    bytes: { type: "integer" },
    created: { type: "boolean", description: "False where a file was replaced" },
  },
  example: { path: "notes.txt", content: "first line\n" },
  createTool: writeFile,
  toResult: ({ data }) => (isObject(data) ? data : {}),
};
