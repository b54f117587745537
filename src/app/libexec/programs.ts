import { program as bash } from "./bash.ts";
import { program as fileEdit } from "./file-edit.ts";
import { program as fileRead } from "./file-read.ts";
import { program as fileWrite } from "./file-write.ts";
import { program as glob } from "./glob.ts";
import { program as grep } from "./grep.ts";
import type { Program } from "./program.ts";

export { runProgram } from "./run-program.ts";

/** The programs by the name of their file in `libexec/`. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  bash,
  file_edit: fileEdit,
  file_read: fileRead,
  file_write: fileWrite,
  glob,
  grep,
};
