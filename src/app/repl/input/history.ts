import { attempt } from "../../../util/async/attempt.ts";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseJson } from "../../../util/json/parse-json.ts";

const MAX_ENTRIES = 1000;
/** A longer prompt is a pasted document and is not stored. */
const MAX_CHARACTERS = 10_000;

/** Earlier prompts, oldest first. */
export type History = ReturnType<typeof openHistory>;

/**
 * Opens the history: limited in size, without consecutive duplicates, readable by its owner only. Without a file nothing is stored. As in a
 * shell, a text that starts with a space is not stored. `mask` masks secrets; a text that it changes is not stored either.
 */
export function openHistory(file: string | undefined, mask = (text: string): string => text) {
  const stored = file === undefined ? [] : readStored(file);
  const entries = stored.slice(-MAX_ENTRIES);
  if (file !== undefined && stored.length > MAX_ENTRIES * 2) attempt(() => writeAll(file, entries));
  return {
    entries: entries as readonly string[],
    /** Never throws: an entry that cannot be stored is still in memory. */
    add(text: string): void {
      if (text.trim() === "" || text === entries.at(-1)) return;
      entries.push(text);
      if (entries.length > MAX_ENTRIES) entries.shift();
      const isPrivate = text.startsWith(" ") || mask(text) !== text || text.length > MAX_CHARACTERS;
      // A full disk must not stop the conversation.
      if (file !== undefined && !isPrivate) attempt(() => append(file, text));
    },
  };
}

function readStored(file: string): string[] {
  return attempt(() => readFileSync(file, "utf8").split("\n").flatMap(parseEntry)) ?? [];
}

/** Skips an invalid line. */
function parseEntry(line: string): readonly string[] {
  const entry = parseJson(line);
  return typeof entry === "string" ? [entry] : [];
}

function append(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
}

function writeAll(file: string, entries: readonly string[]): void {
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
}
