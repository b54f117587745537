import { basename } from "node:path";
import type { CommandReading, SimpleCommand } from "../../../core/command.ts";
import type { Fact } from "../../../core/fact.ts";
import { quoteName } from "../../../util/text/file-name.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { visible } from "../../../util/text/visible.ts";
import type { Touched } from "./question.ts";

/** Programs that only remove what they name: a missing file is not created. */
const REMOVERS: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink", "shred"]);

/**
 * Describes what a call would touch, each thing once; of a command, also what it runs. Paths below `folder` are relative to it. An argument that
 * only looks like a path that is read is left out if no such file exists: code has many of them. A pattern stays: it may name files that exist.
 */
export function describeFacts(facts: readonly Fact[], folder?: string): readonly Touched[] {
  const removes = facts.some((fact) => fact.kind === "command" && isRemoving(fact.reading));
  const described = facts
    .filter((fact) => !isGuessedRead(fact))
    .map((fact): [string, Touched] => {
      const touched = {
        text: visible(nameOf(fact, folder, removes)),
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

function isRemoving(reading: CommandReading | undefined): boolean {
  return (
    reading?.commands.some(({ words: [program] }) => REMOVERS.has(basename(program?.text ?? ""))) ?? false
  );
}

function isGuessedRead(fact: Fact): boolean {
  if (fact.kind !== "path" || fact.access !== "read" || fact.suspected !== true) return false;
  return fact.inode === undefined && !PATTERN.test(fact.path);
}

/** Has a character that a shell expands to names of files. */
const PATTERN = /[*?[]/;

/** Returns a path as people name it: relative to the folder, if it is below. */
export function shownPath(path: string, folder: string | undefined): string {
  if (folder === undefined || path === folder || !isWithin(path, folder)) return path;
  return path.slice(folder.length).replace(/^\//, "");
}

function nameOf(fact: Fact, folder: string | undefined, removes: boolean): string {
  if (fact.kind === "path") {
    const isNew = fact.access === "write" && fact.inode === undefined && fact.suspected !== true;
    const isCreated = isNew && fact.change !== "delete" && !removes;
    return `${fact.access} ${quoteName(shownPath(fact.path, folder))}${isCreated ? " (new)" : ""}`;
  }
  if (fact.kind === "mcp") return `MCP server ${fact.server}, tool ${fact.tool}`;
  return fact.kind === "host" ? `host ${fact.host}` : `command ${fact.text} (in ${fact.cwd})`;
}

function describeReading({ certainty, commands, doubt }: CommandReading): readonly string[] {
  const runs = commands.map((command) => `runs: ${describeCommand(command)}`);
  if (certainty === "proven") return runs;
  const may = certainty === "read" ? "and perhaps more" : "it cannot be read";
  return [...runs, `${may}${doubt === undefined ? "" : `: ${doubt}`}`];
}

function describeCommand({ words, assignments, redirects, via }: SimpleCommand): string {
  const line = [
    ...assignments.map(({ text }) => text),
    ...words.map(({ text, literal }) => (literal ? quoteWord(text) : `${text}…`)),
    ...redirects.map(({ access, target }) => `${access === "write" ? ">" : "<"} ${target.text}`),
  ].join(" ");
  return via.length === 0 ? line : `${line} (by ${via.join(", ")})`;
}

/** Returns a word as a shell would have to read it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
