import type { Reply } from "../../core/content.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { glob as globTool } from "../../tools/files/search/glob.ts";
import { MAX_COLUMNS } from "../../tools/files/search/grep-hits.ts";
import { grep as grepTool } from "../../tools/files/search/grep.ts";
import { MAX_COLLECTED, MAX_COLLECTED_CHARACTERS } from "../../tools/files/search/grep-search.ts";
import { defined } from "../../util/json/defined.ts";
import { textOf } from "../../util/text/text-of.ts";
import type { Program } from "./program.ts";

/** The fields that any list may have besides its items. */
const LIST_RETURNS: JsonObject = {
  total: { type: "integer", description: "Number of results, if not all were returned" },
  at_least: { type: "boolean", description: "There may be more than total" },
  partial: { type: "boolean", description: "The search timed out" },
  notes: { type: "array", items: { type: "string" }, description: "Files that could not be read" },
};
const MATCH: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string" },
    line: { type: "integer" },
    text: { type: "string" },
    context: { type: "string", description: "With context_lines: the match and the lines around it" },
  },
};
const COUNT: JsonObject = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "integer" } },
};

/** Runs `glob`. */
export const glob: Program = {
  name: "glob",
  description:
    "Finds files by a pattern of their path, newest first. * and ? match within a name, ** crosses folders, " +
    "[a-z] and {a,b} work. Links are not followed. A search that times out returns what it has found.",
  parameters: { path: "The folder to search (default: the current folder)" },
  returns: { files: { type: "array", items: { type: "string" } }, ...LIST_RETURNS },
  example: { pattern: "src/**/*.ts" },
  createTool: globTool,
  toResult: listResult,
};

/** Runs `grep`. */
export const grep: Program = {
  name: "grep",
  description:
    "Searches the contents of files with ripgrep, except hidden files, binary files and files ignored by .gitignore. " +
    `Lines over ${MAX_COLUMNS} bytes are cut. The search stops after ${MAX_COLLECTED} matches or ` +
    `${MAX_COLLECTED_CHARACTERS / 1024 / 1024} MB of text; one that times out returns what it has found.`,
  parameters: { path: "The file or folder to search (default: the current folder)" },
  returns: {
    matches: { type: "array", items: MATCH },
    files: { type: "array", items: { type: "string" }, description: "With output files" },
    counts: { type: "array", items: COUNT, description: "With output count" },
    ...LIST_RETURNS,
  },
  example: { pattern: "TODO", include: "*.ts" },
  createTool: grepTool,
  toResult: (reply) => withContext(reply, listResult(reply)),
};

/** Returns the data of a list, with the total if not all items were returned, and the notes. */
function listResult(reply: Reply): JsonObject {
  const data = isObject(reply.data) ? reply.data : {};
  const count = Object.values(data).find((value) => Array.isArray(value))?.length ?? 0;
  const notes = notesOf(reply, count);
  const { total, atLeast } = reply.truncated ?? {};
  return {
    ...data,
    ...defined({ total }),
    ...(atLeast === true && { at_least: true }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Returns the lines before the items; without items, before the line that says that there are none. */
function notesOf({ items, content }: Reply, count: number): readonly string[] {
  if (items !== undefined) return items.slice(0, items.length - count);
  return textOf(content, "").split("\n").slice(0, -1);
}

/** Adds the lines around each match, which are only in the text of the answer. */
function withContext({ items = [] }: Reply, result: JsonObject): JsonObject {
  const { matches } = result;
  if (!Array.isArray(matches)) return result;
  const texts = items.slice(items.length - matches.length);
  const add = (match: Json, index: number): Json => {
    const [text = "", end] = texts[index]?.split(/\n--$/) ?? [];
    return end === undefined || !isObject(match) ? match : { ...match, context: text };
  };
  return { ...result, matches: matches.map(add) };
}
