import type { Reply } from "../../core/content.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { grep, MAX_COLLECTED, MAX_COLLECTED_CHARACTERS, MAX_COLUMNS } from "../../tools/files/search/grep.ts";
import { LIST_RETURNS, listResult } from "./list-result.ts";
import type { Program } from "./program.ts";

const MATCH: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string" },
    line: { type: "integer" },
    text: { type: "string" },
    context: { type: "string", description: "The lines around it too, with context_lines" },
  },
};
const COUNT: JsonObject = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "integer" } },
};

/** `grep`. */
export const program: Program = {
  name: "grep",
  description:
    "Searches the contents of files with ripgrep, leaving out hidden files, binary files and what .gitignore " +
    `files name. Lines over ${MAX_COLUMNS} bytes are cut. The search ends after ${MAX_COLLECTED} matches or ` +
    `${MAX_COLLECTED_CHARACTERS / 1024 / 1024} MB of text; one that runs out of time gives what it has found.`,
  parameters: { path: "The file or folder to search; left out: the current folder" },
  returns: {
    matches: { type: "array", items: MATCH },
    files: { type: "array", items: { type: "string" }, description: "With output files" },
    counts: { type: "array", items: COUNT, description: "With output count" },
    ...LIST_RETURNS,
  },
  example: { pattern: "TODO", include: "*.ts" },
  createTool: grep,
  toResult: (reply) => withContext(reply, listResult(reply)),
};

/** The data of a match has its own lines only; what is shown of it has those around it too, and says where it ends. */
function withContext({ items = [] }: Reply, result: JsonObject): JsonObject {
  const { matches } = result;
  if (!Array.isArray(matches)) return result;
  const shown = items.slice(items.length - matches.length);
  const withIts = (match: Json, index: number): Json => {
    const [text = "", end] = shown[index]?.split(/\n--$/) ?? [];
    return end === undefined || !isObject(match) ? match : { ...match, context: text };
  };
  return { ...result, matches: matches.map(withIts) };
}
