import type { SimpleCommand } from "../../core/command.ts";
import { baseName, isStandardInput } from "../syntax/shell-arguments.ts";
import type { Use } from "./tables/program.ts";

/** Where a program reads the paths to work on: from its standard input, or from a file, whose content is unknown. */
export type NamesFrom = "input" | "file";

/** Options that name a list of paths, of programs and subcommands whose tables do not have them; they may be abbreviated. */
const LIST_OPTION =
  /^--?(?:pathspec-f[a-z-]*|files?0?(?:-?from(?:-[a-z]+)*)|[a-z-]*from-?(?:files?|stdin|list)|std-?in(?:-[a-z]+)*|file-?list|path-?list|list-?files?|(?:input|include)-list)(?:=(?<value>[^]*))?$/;

/** Programs that replace `@file` by the words in the file. */
const READS_AT: ReadonlySet<string> = new Set(
  "7z 7za 7zr rar unrar ar gcc cc clang g++ c++ clang++ ld as strings nm objdump objcopy size strip javac rustc exiftool".split(
    " ",
  ),
);

/** Returns where a command reads paths that its arguments do not name; undefined if it does not. */
export function namesFrom(command: SimpleCommand, use: Use): NamesFrom | undefined {
  const lists: string[] = [];
  addListFlags(use, lists);
  if (use.unknown.length > 0) addListOptions(command, use, lists);
  addArgumentFiles(command, lists);
  if (lists.some((file) => !isStandardInput(file))) return "file";
  return lists.length > 0 || use.usage.readsNames?.(use) === true ? "input" : undefined;
}

/** Adds the lists that the flags of the table name. */
function addListFlags({ flags }: Use, lists: string[]): void {
  for (const { flag, values } of flags) {
    if (!flag.values.includes("names")) continue;
    for (const [index, { text }] of values.entries()) if (flag.values[index] === "names") lists.push(text);
  }
}

/** Adds the lists of options that are not in the table; `-` for standard input. */
function addListOptions({ words }: SimpleCommand, { unknown }: Use, lists: string[]): void {
  for (const word of unknown) {
    const match = LIST_OPTION.exec(word.text);
    if (match === null) continue;
    const value = match.groups?.["value"];
    lists.push(value ?? (/std-?in/.test(word.text) ? "-" : (words[words.indexOf(word) + 1]?.text ?? "-")));
  }
}

/** Adds the files of `@file`. */
function addArgumentFiles({ words }: SimpleCommand, lists: string[]): void {
  if (!READS_AT.has(baseName(words[0]?.text ?? ""))) return;
  for (const { text } of words.slice(1)) if (/^@./.test(text)) lists.push(text.slice(1));
}
