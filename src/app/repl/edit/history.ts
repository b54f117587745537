import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseJson } from "../../../util/json/parse-json.ts";

const MAX_ENTRIES = 1000;
/** A prompt that long is a pasted document: not worth a line in the history. */
const MAX_CHARACTERS = 10_000;

/** What was typed before, the oldest first. */
export interface History {
  readonly entries: readonly string[];
  /** Never throws: a history that cannot be kept is still there until the end. */
  add(text: string): void;
}

export interface HistoryOptions {
  /** Left out: nothing is kept beyond the process. */
  readonly file?: string;
  /** Puts a mask over secrets; what it changes is not kept. */
  readonly mask?: (text: string) => string;
}

/** Opens the history: bounded, without repetitions in a row, readable by its owner only. What begins with a blank is not kept, as in a shell. */
export function openHistory({ file, mask = (text) => text }: HistoryOptions = {}): History {
  const kept = file === undefined ? [] : readKept(file);
  const entries = kept.slice(-MAX_ENTRIES);
  if (file !== undefined && kept.length > MAX_ENTRIES * 2) quietly(() => writeAll(file, entries));
  return {
    entries,
    add(text) {
      if (text.trim() === "" || text === entries.at(-1)) return;
      entries.push(text);
      if (entries.length > MAX_ENTRIES) entries.shift();
      const isPrivate = text.startsWith(" ") || mask(text) !== text || text.length > MAX_CHARACTERS;
      if (file !== undefined && !isPrivate) quietly(() => append(file, text));
    },
  };
}

function readKept(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").flatMap(parseEntry);
  } catch {
    return [];
  }
}

/** A line that is broken, by a crash or by hand, is no entry. */
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

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The history is a comfort: a full disk must not stop the conversation.
  }
}
