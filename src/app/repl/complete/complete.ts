import type { SlashCommand, SlashWorld } from "../../terminal/commands/slash-command.ts";
import { halves, replaceBefore, type Editor } from "../edit/editor.ts";
import type { Candidate, Menu } from "./menu.ts";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { visible } from "../../../util/text/visible.ts";

interface CompletionWorld {
  readonly commands: readonly SlashCommand[];
  readonly world: Pick<SlashWorld, "engine" | "session">;
  readonly workspace: string;
}

/** Completes the word before the cursor: a command, its argument, or a path. Never rejects. */
export async function complete(editor: Editor, given: CompletionWorld): Promise<Menu | undefined> {
  const { before } = halves(editor);
  const word = /\S*$/.exec(before)?.[0] ?? "";
  const from = before.length - word.length;
  const items = await candidatesFor(before, word, given);
  return items.length === 0 ? undefined : { from, items, chosen: -1 };
}

async function candidatesFor(
  before: string,
  word: string,
  { commands, world, workspace }: CompletionWorld,
): Promise<readonly Candidate[]> {
  if (before === word && word.startsWith("/")) return namesOf(commands, word.slice(1));
  if (word.startsWith("@")) {
    const paths = await completePath(word.slice(1), workspace);
    return paths.map(({ text }) => ({ text: `@${text}` }));
  }
  const [, name, args = ""] = /^\/(\S+)\s+([^]*)$/.exec(before) ?? [];
  const command = name === undefined ? undefined : commands.find((one) => one.name === name);
  if (command?.complete !== undefined) {
    const words = await argumentsOf(command, args, world);
    return words.filter((one) => one.startsWith(word)).map((text) => ({ text: `${text} ` }));
  }
  return command !== undefined || word.includes("/") ? completePath(word, workspace) : [];
}

/** Ignores errors: completion has no place to show them. */
async function argumentsOf(
  command: SlashCommand,
  args: string,
  world: CompletionWorld["world"],
): Promise<readonly string[]> {
  try {
    return (await command.complete?.(args, world)) ?? [];
  } catch {
    return [];
  }
}

function namesOf(commands: readonly SlashCommand[], start: string): readonly Candidate[] {
  return commands
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, summary, usage }) => ({
      text: `/${name} `,
      description: usage === "" ? summary : `${usage}  ${summary}`,
    }));
}

/** Inserts the common start of all candidates; shows the menu if there are several. */
export function startMenu(
  editor: Editor,
  menu: Menu,
): { readonly editor: Editor; readonly menu: Menu | undefined } {
  const [only, ...others] = menu.items;
  if (only !== undefined && others.length === 0) {
    return { editor: replaceBefore(editor, menu.from, only.text), menu: undefined };
  }
  const common = commonStart(menu.items.map(({ text }) => text));
  const typed = editor.text.slice(menu.from, editor.cursor);
  if (common.length <= typed.length) return { editor, menu };
  return { editor: replaceBefore(editor, menu.from, common), menu };
}

/** Replaces the word with the next or previous candidate. */
export function turnMenu(
  editor: Editor,
  menu: Menu,
  by: 1 | -1,
): { readonly editor: Editor; readonly menu: Menu } {
  const count = menu.items.length;
  const chosen = menu.chosen < 0 && by < 0 ? count - 1 : (menu.chosen + by + count) % count;
  const text = menu.items[chosen]?.text.trimEnd() ?? "";
  return { editor: replaceBefore(editor, menu.from, text), menu: { ...menu, chosen } };
}

function commonStart([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

const MAX_CANDIDATES = 200;

/** Returns the files and folders that start with a path. Never rejects: an unreadable folder has none. */
async function completePath(typed: string, workspace: string): Promise<readonly Candidate[]> {
  const slash = typed.lastIndexOf("/") + 1;
  const [folder, start] = [typed.slice(0, slash), typed.slice(slash)];
  try {
    const entries = await readdir(resolve(workspace, expandHome(folder) || "."), { withFileTypes: true });
    return (
      entries
        .filter(({ name }) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
        // Leave out names with control characters: they cannot be typed.
        .filter(({ name }) => visible(name) === name)
        .map((entry) => ({ text: `${folder}${entry.name}${entry.isDirectory() ? "/" : " "}` }))
        .toSorted((one, other) => one.text.localeCompare(other.text))
        .slice(0, MAX_CANDIDATES)
    );
  } catch {
    return [];
  }
}

function expandHome(folder: string): string {
  return folder.startsWith("~/") ? resolve(homedir(), folder.slice(2)) : dirname(`${folder}x`);
}
