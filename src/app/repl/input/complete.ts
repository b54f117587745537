import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
import type { FileIndex } from "./files/file-index.ts";
import { findPaths, hasLetters } from "./files/find-files.ts";
import type { Choice, SlashCommand, SlashWorld } from "../../terminal/commands/slash-command.ts";
import { defined } from "../../../util/json/defined.ts";
import { visible } from "../../../util/text/visible.ts";

export interface CompletionWorld {
  readonly commands: readonly SlashCommand[];
  readonly world: Pick<SlashWorld, "engine" | "session">;
  readonly workspace: string;
  /** The paths of the workspace. */
  readonly files: FileIndex;
  /** Paths that the person used before. */
  readonly recent: () => ReadonlySet<string>;
}

interface Candidate {
  /** Replaces the word. */
  readonly text: string;
  /** In place of the text and the description in the menu. */
  readonly label?: string;
  readonly description?: string;
  readonly enter?: MenuItem["enter"];
}

/** An entry of the menu. */
export interface MenuItem extends AutocompleteItem {
  /** The typed word is a part of this text or of the value. Default: the description. */
  readonly searched?: string;
  /** What Enter does besides taking it: sends the line, or does so unless the person only looked at the menu. Default: nothing. */
  readonly enter?: "sends" | "sends a choice";
}

/** Completes the word before the cursor: a command, its argument, or a path. `worldOf` returns undefined while the session loads. */
export function createCompletion(worldOf: () => CompletionWorld | undefined): AutocompleteProvider {
  return {
    async getSuggestions(lines, row, column, { force = false }) {
      const world = worldOf();
      const { before, word } = wordAt(lines, row, column);
      const all = world === undefined ? [] : await candidatesFor(before, word, { ...world, force });
      // Leave out names with control characters: they cannot be typed, and the menu writes its texts as they are.
      const candidates = all.filter(({ text }) => visible(text) === text).slice(0, MAX_CANDIDATES);
      // A complete argument needs no menu: Enter would choose from it instead of sending.
      const isComplete =
        !force &&
        (before !== word || word.startsWith("@")) &&
        candidates.some(({ text }) => text.trimEnd() === word);
      if (candidates.length === 0 || isComplete) return null;
      const items = candidates.map(({ text, label, description = "", enter }): MenuItem => ({
        value: text,
        ...(label === undefined
          ? { label: text.trimEnd(), description: visible(description).replaceAll("\n", " ") }
          : { label: visible(label), searched: description }),
        ...defined({ enter }),
      }));
      return { items, prefix: word };
    },
    applyCompletion(
      lines,
      cursorLine,
      cursorCol,
      { value, description = "", searched = description }: MenuItem,
    ) {
      const { word } = wordAt(lines, cursorLine, cursorCol);
      // The text may be newer than the menu.
      const isReference = word.startsWith("@") || value.startsWith("@");
      const isNewer = isReference
        ? !hasLetters(word.replace('"', ""), value.replace('"', ""))
        : !isPartOf(word, `${value} ${searched}`);
      if (isNewer || (value.startsWith("/") && !value.startsWith(word)))
        return { lines, cursorLine, cursorCol };
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
  { force, ...completion }: CompletionWorld & { readonly force: boolean },
): Promise<readonly Candidate[]> {
  const { commands, world, workspace } = completion;
  if (before === word && word.startsWith("/")) return namesOf(commands, word.slice(1));
  if (word.startsWith("@")) {
    const isQuoted = word.startsWith('@"');
    const paths = await referredPaths(word.slice(isQuoted ? 2 : 1), completion);
    return paths.map(({ text }) => ({ text: reference(text, isQuoted) }));
  }
  const [, name, args = ""] = /^\/(\S+)\s+([^]*)$/.exec(before) ?? [];
  const command = name === undefined ? undefined : commands.find((one) => one.name === name);
  if (command?.complete !== undefined) {
    const complete = async (): Promise<readonly (string | Choice)[]> => command.complete?.(args, world) ?? [];
    // Completion has no place to show an error.
    const choices = (await complete().catch(() => [])).map(toChoice);
    const isAnywhere = command.matchesAnywhere === true;
    return choices
      .filter(({ value, description }) =>
        isAnywhere ? isPartOf(word, `${value} ${description}`) : value.startsWith(word),
      )
      .map(({ value, label, description, continues }) => {
        const enter = isAnywhere ? "sends" : "sends a choice";
        return {
          text: `${value} `,
          description,
          ...defined({ label }),
          ...(continues !== true && { enter }),
        };
      });
  }
  // Any word may be a path, so only Tab asks for paths.
  return force && (command !== undefined || word.includes("/")) ? completePath(word, workspace) : [];
}

function toChoice(one: string | Choice): Choice {
  return typeof one === "string" ? { value: one, description: "" } : one;
}

function isPartOf(word: string, text: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

/** Returns the files and folders that a reference may mean; of a path outside the workspace, and of a folder in it, those inside. */
async function referredPaths(
  typed: string,
  { workspace, files, recent }: CompletionWorld,
): Promise<readonly Candidate[]> {
  const used = recent();
  if (typed === "") {
    const first = [...used].slice(-MAX_RECENT).toReversed();
    const entries = await completePath("", workspace);
    return [...first.map(toCandidate), ...entries.filter(({ text }) => !used.has(text.trimEnd()))];
  }
  const inFolder =
    typed.endsWith("/") || /^[~/]|(?:^|\/)\.[^/]*$/.test(typed) ? await completePath(typed, workspace) : [];
  if (inFolder.length > 0 || /^[~/]|^\.\.?\//.test(typed)) return inFolder;
  const paths = findPaths(typed, await files.paths(), { limit: MAX_FOUND, recent: used });
  return paths.length > 0 ? paths.map(toCandidate) : completePath(typed, workspace);
}

function toCandidate(path: string): Candidate {
  return { text: path.endsWith("/") ? path : `${path} ` };
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
      // The menu cuts rows at the width: what a command does comes first.
      description: usage === "" ? summary : `${summary}  ${usage}`,
    }));
}

const MAX_CANDIDATES = 200;
const MAX_FOUND = 50;
const MAX_RECENT = 5;

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
