import type { BuiltInTool } from "./named.ts";
import { NOTES } from "./notes.ts";
import { TRAFFIC } from "./traffic.ts";
import { WORK } from "./work.ts";

/** The built-in tools with the types of their input and data: `engine.call(builtIn.readFile, { path })`. The engine must have the tool. */
export const builtIn = { ...WORK, ...TRAFFIC, ...NOTES };

/** The data of a built-in tool, by its name in `builtIn`: `BuiltInData<"readFile">`. */
export type BuiltInData<Name extends keyof typeof builtIn> =
  (typeof builtIn)[Name] extends BuiltInTool<infer Data, infer _Given> ? Data : never;
