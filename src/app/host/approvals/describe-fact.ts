import type { CommandReading, SimpleCommand, Word } from "../../../core/command.ts";
import type { Fact, PathFact } from "../../../core/fact.ts";
import { quoteName } from "../../../util/text/file-name.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { visible } from "../../../util/text/visible.ts";
import { PATTERN, pathUses, type PathUse } from "./path-uses.ts";
import type { Touched } from "./question.ts";

/**
 * Describes what a call would touch, each thing once; of a command, also what it runs. Paths below `folder` are relative to it. An argument that
 * only looks like a path that is read is left out if no such file exists: code has many of them. A pattern stays: it may name files that exist.
 */
export function describeFacts(facts: readonly Fact[], folder?: string): readonly Touched[] {
  const uses = pathUses(facts);
  const described = facts
    .filter((fact) => !isGuessedRead(fact))
    .map((fact): [string, Touched] => {
      const touched = {
        text: visible(nameOf(fact, folder, uses)),
        programs: programsOf(fact).map(visible),
      };
      return [touchedKey(touched), touched];
    });
  return [...new Map(described).values()];
}

/** Returns a line for each program that a command would run. */
export function programsOf(fact: Fact): readonly string[] {
  return fact.kind === "command" && fact.reading !== undefined ? describeReading(fact.reading) : [];
}

function touchedKey({ text, programs }: Touched): string {
  return JSON.stringify([text, programs]);
}

function isGuessedRead(fact: Fact): boolean {
  if (fact.kind !== "path" || fact.access !== "read" || fact.suspected !== true) return false;
  return fact.inode === undefined && !PATTERN.test(fact.path);
}

/** Returns a path as people name it: relative to the folder, if it is below. */
export function shownPath(path: string, folder: string | undefined): string {
  if (folder === undefined || path === folder || !isWithin(path, folder)) return path;
  return path.slice(folder.length).replace(/^\//, "");
}

function nameOf(fact: Fact, folder: string | undefined, uses: ReadonlyMap<string, PathUse>): string {
  if (fact.kind === "path") return nameOfPath(fact, folder, uses);
  if (fact.kind === "mcp") return `MCP server ${fact.server}, tool ${fact.tool}`;
  return fact.kind === "host" ? `host ${fact.host}` : `command ${fact.text} (in ${fact.cwd})`;
}

/** Returns what happens to a path: `perhaps` for a write that no program is known to do, `(new)` for a file that is created. */
function nameOfPath(fact: PathFact, folder: string | undefined, uses: ReadonlyMap<string, PathUse>): string {
  const name = quoteName(shownPath(fact.path, folder));
  if (fact.access === "read") return `read ${name}`;
  const known = [fact.path, ...(fact.names ?? [])].flatMap((path) => uses.get(path) ?? []);
  const perhaps = known.length > 0 && known.every(({ isGuess }) => isGuess) ? "perhaps " : "";
  const isRemoved = known.length > 0 && known.every((use) => use.isRemoved);
  if (fact.change === "delete" || isRemoved) return `${perhaps}delete ${name}`;
  const isNew = fact.inode === undefined && fact.suspected !== true && perhaps === "";
  return `${perhaps}write ${name}${isNew ? " (new)" : ""}`;
}

function describeReading({ certainty, commands, doubt }: CommandReading): readonly string[] {
  const runs = [...new Set(commands.map((command) => `runs: ${describeCommand(command)}`))];
  if (certainty === "proven") return runs;
  const may = certainty === "read" ? "and perhaps more" : "it cannot be read";
  return [...runs, `${may}${doubt === undefined ? "" : `: ${doubt}`}`];
}

function describeCommand({ words, assignments, redirects, via }: SimpleCommand): string {
  const line = [
    ...assignments.map(({ text }) => text),
    ...words
      .map((word) => describeWord(word, via))
      .filter((text, index, all) => !(text === "…" && all[index - 1] === "…")),
    ...redirects.map(
      ({ access, target }) => `${access === "write" ? ">" : "<"} ${describeWord(target, via)}`,
    ),
  ].join(" ");
  return via.length === 0 ? line : `${line} (by ${via.join(", ")})`;
}

/** Returns `…` for words that only the run knows, and a pattern as it is written. */
function describeWord({ text, literal }: Word, via: readonly string[]): string {
  if (literal) return quoteWord(text);
  if (via.length > 0) return "…";
  return PATTERN.test(text) ? text : `${text}…`;
}

/** Returns a word as a shell would have to read it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
