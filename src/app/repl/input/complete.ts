import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
import type { SlashCommand, SlashWorld } from "../../terminal/commands/slash-command.ts";
import { visible } from "../../../util/text/visible.ts";

export interface CompletionWorld {
  readonly commands: readonly SlashCommand[];
  readonly world: Pick<SlashWorld, "engine" | "session">;
  readonly workspace: string;
}

interface Candidate {
  /** Replaces the word. */
  readonly text: string;
  readonly description?: string;
}

/** Completes the word before the cursor: a command, its argument, or a path. `worldOf` returns undefined while the session loads. */
export function createCompletion(worldOf: () => CompletionWorld | undefined): AutocompleteProvider {
  return {
    async getSuggestions(lines, row, column, { force = false }) {
      const world = worldOf();
      const { before, word } = wordAt(lines, row, column);
      const all = world === undefined ? [] : await candidatesFor(before, word, { ...world, force });
      // Leave out names with control characters: they cannot be typed, and the menu writes its texts as they are.
      const found = all.filter(({ text }) => visible(text) === text).slice(0, MAX_CANDIDATES);
      // A complete argument needs no menu: Enter would choose from it instead of sending.
      const isComplete = !force && before !== word && found.some(({ text }) => text.trimEnd() === word);
      if (found.length === 0 || isComplete) return null;
      const items = found.map(({ text, description = "" }) => ({
        value: text,
        label: text.trimEnd(),
        description: visible(description).replaceAll("\n", " "),
      }));
      return { items, prefix: word };
    },
    applyCompletion(lines, cursorLine, cursorCol, { value }) {
      const { word } = wordAt(lines, cursorLine, cursorCol);
      // The text may be newer than the menu.
      if (!value.replace('"', "").includes(word.replace('"', ""))) return { lines, cursorLine, cursorCol };
      const line = lines[cursorLine] ?? "";
      const start = line.slice(0, cursorCol - word.length) + value;
      return {
        lines: lines.with(cursorLine, start + line.slice(cursorCol)),
        cursorLine,
        cursorCol: start.length,
      };
    },
  };
}

/** Returns the text before the cursor, of all lines, and its last word. */
function wordAt(lines: readonly string[], row: number, column: number) {
  const before = [...lines.slice(0, row), (lines[row] ?? "").slice(0, column)].join("\n");
  return { before, word: /(?:(?<!\S)@"[^"\n]*|\S*)$/.exec(before)?.[0] ?? "" };
}

async function candidatesFor(
  before: string,
  word: string,
  { commands, world, workspace, force }: CompletionWorld & { readonly force: boolean },
): Promise<readonly Candidate[]> {
  if (before === word && word.startsWith("/")) return namesOf(commands, word.slice(1));
  if (word.startsWith("@")) {
    const isQuoted = word.startsWith('@"');
    const paths = await completePath(word.slice(isQuoted ? 2 : 1), workspace);
    return paths.map(({ text }) => ({ text: reference(text, isQuoted) }));
  }
  const [, name, args = ""] = /^\/(\S+)\s+([^]*)$/.exec(before) ?? [];
  const command = name === undefined ? undefined : commands.find((one) => one.name === name);
  if (command?.complete !== undefined) {
    const complete = async (): Promise<readonly string[]> => command.complete?.(args, world) ?? [];
    // Completion has no place to show an error.
    const words = await complete().catch(() => []);
    const fits = (one: string): boolean =>
      command.matchesAnywhere === true ? one.includes(word) : one.startsWith(word);
    return words.filter(fits).map((text) => ({ text: `${text} ` }));
  }
  // Any word may be a path, so only Tab asks for paths.
  return force && (command !== undefined || word.includes("/")) ? completePath(word, workspace) : [];
}

/** Returns the path of a file or folder, as completion gives it, after `@`: with quotes if it has blanks. */
function reference(path: string, isQuoted: boolean): string {
  const name = path.trimEnd();
  if (!isQuoted && !/\s/.test(name)) return `@${path}`;
  return name.endsWith("/") ? `@"${name}` : `@"${name}" `;
}

function namesOf(commands: readonly SlashCommand[], start: string): readonly Candidate[] {
  return commands
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, summary, usage }) => ({
      text: `/${name} `,
      description: usage === "" ? summary : `${usage}  ${summary}`,
    }));
}

const MAX_CANDIDATES = 200;

/** Returns the files and folders that start with a path. Never rejects: an unreadable folder has none. */
async function completePath(typed: string, workspace: string): Promise<readonly Candidate[]> {
  const slash = typed.lastIndexOf("/") + 1;
  const [folder, start] = [typed.slice(0, slash), typed.slice(slash)];
  const searched = resolve(workspace, expandHome(folder) || ".");
  const entries = await readdir(searched, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
    .map((entry) => ({ text: `${folder}${entry.name}${entry.isDirectory() ? "/" : " "}` }))
    .toSorted((one, other) => one.text.localeCompare(other.text));
}

function expandHome(folder: string): string {
  return folder.startsWith("~/") ? resolve(homedir(), folder.slice(2)) : dirname(`${folder}x`);
}
