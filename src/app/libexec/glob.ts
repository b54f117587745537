import { glob } from "../../tools/files/search/glob.ts";
import { LIST_RETURNS, listResult } from "./list-result.ts";
import type { Program } from "./program.ts";

/** `glob`. */
export const program: Program = {
  name: "glob",
  description:
    "Finds files by a pattern of their path, newest first. * and ? stay within a name, ** crosses folders, " +
    "[a-z] and {a,b} work. Links are not followed. A search that runs out of time gives what it has found.",
  parameters: { path: "The folder to look in; left out: the current one" },
  returns: { files: { type: "array", items: { type: "string" } }, ...LIST_RETURNS },
  example: { pattern: "src/**/*.ts" },
  createTool: glob,
  toResult: listResult,
};
