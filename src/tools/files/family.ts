import type { Tool } from "../../core/tool.ts";
import type { FilesOptions } from "./options.ts";
import { readFile } from "./read-file.ts";

/** The tools that read, search and change files. */
export function fileTools(options: FilesOptions): Tool[] {
  return [readFile(options)];
}
