import type { Tool } from "../../core/tool.ts";
import type { FilesOptions } from "./options.ts";
import { editFile } from "./edit-file.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

/** The tools that read, search and change files. */
export function fileTools(options: FilesOptions): Tool[] {
  return [readFile(options), writeFile(options), editFile(options)];
}
