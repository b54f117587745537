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
export function namesFrom({ words }: SimpleCommand, use: Use): NamesFrom | undefined {
  let found: NamesFrom | undefined = use.usage.readsNames?.(use) === true ? "input" : undefined;
  const add = (file: string | undefined): void => {
    found = file === undefined || isStandardInput(file) ? (found ?? "input") : "file";
  };
  for (const { flag, values } of use.flags)
    for (const [index, word] of values.entries()) if (flag.values[index] === "names") add(word.text);
  for (const word of use.unknown) {
    const match = LIST_OPTION.exec(word.text);
    if (match === null) continue;
    const next = words[words.indexOf(word) + 1]?.text;
    add(match.groups?.["value"] ?? (word.text.includes("stdin") ? undefined : next));
  }
  if (READS_AT.has(baseName(words[0]?.text ?? "")))
    for (const { text } of words.slice(1)) if (/^@./.test(text)) add(text.slice(1));
  return found;
}
