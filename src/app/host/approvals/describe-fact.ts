import type { CommandReading, SimpleCommand } from "../../../core/command.ts";
import type { Fact } from "../../../core/fact.ts";
import { quoteName } from "../../../util/text/file-name.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { visible } from "../../../util/text/visible.ts";
import type { Touched } from "./question.ts";

/** Describes one thing that a call would touch; of a command, also what it runs. Paths below `folder` are relative to it. */
export function describeFact(fact: Fact, folder?: string): Touched {
  const programs = fact.kind === "command" && fact.reading !== undefined ? describeReading(fact.reading) : [];
  return { text: visible(nameOf(fact, folder)), programs: programs.map(visible) };
}

/** Returns a path as people name it: relative to the folder, if it is below. */
export function shownPath(path: string, folder: string | undefined): string {
  if (folder === undefined || path === folder || !isWithin(path, folder)) return path;
  return path.slice(folder.length).replace(/^\//, "");
}

function nameOf(fact: Fact, folder: string | undefined): string {
  if (fact.kind === "path")
    return `${fact.access} ${quoteName(shownPath(fact.path, folder))}${fact.inode === undefined ? " (new)" : ""}`;
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
