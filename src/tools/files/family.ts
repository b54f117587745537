import type { Tool } from "../../core/tool.ts";
import { editFile } from "./edit-file.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import type { FilesOptions } from "./options.ts";
import { readFile } from "./read-file.ts";
import { readManyFiles } from "./read-many-files.ts";
import { writeFile } from "./write-file.ts";

/** The tools that find, read and change files. */
export function fileTools(options: FilesOptions): Tool[] {
  return [
    glob(options),
    ls(options),
    grep(options),
    readFile(options),
    readManyFiles(options),
    writeFile(options),
    editFile(options),
  ];
}
