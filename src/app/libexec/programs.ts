import { bash } from "./bash.ts";
import { fileEdit, fileRead, fileWrite } from "./files.ts";
import type { Program } from "./program.ts";
import { glob, grep } from "./search.ts";

export { runProgram } from "./run-program.ts";

/** The programs by the name of their file in `libexec/`. */
export const PROGRAMS: Readonly<Record<string, Program>> = Object.fromEntries(
  [bash, fileEdit, fileRead, fileWrite, glob, grep].map((program) => [program.name, program]),
);
