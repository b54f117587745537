import { createRequire } from "node:module";
import { resolve } from "node:path";

const program = createRequire(import.meta.url)(resolve("bin/program.js")) as { load(name: string): unknown };

/** Returns the exports of a script of the built program, as its own entry files load it. */
export function loadProgram(name: string): unknown {
  return program.load(name);
}
