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
  const lists = [...listFlags(use), ...listOptions(command, use), ...argumentFiles(command)];
  if (lists.some((file) => !isStandardInput(file))) return "file";
  return lists.length > 0 || use.usage.readsNames?.(use) === true ? "input" : undefined;
}

/** Returns the lists that the flags of the table name. */
function listFlags({ flags }: Use): readonly string[] {
  return flags.flatMap(({ flag, values }) =>
    values.flatMap(({ text }, index) => (flag.values[index] === "names" ? [text] : [])),
  );
}

/** Returns the lists of options that are not in the table; `-` for standard input. */
function listOptions({ words }: SimpleCommand, { unknown }: Use): readonly string[] {
  return unknown.flatMap((word) => {
    const match = LIST_OPTION.exec(word.text);
    if (match === null) return [];
    const value = match.groups?.["value"];
    return [value ?? (/std-?in/.test(word.text) ? "-" : (words[words.indexOf(word) + 1]?.text ?? "-"))];
  });
}

/** Returns the files of `@file`. */
function argumentFiles({ words: [program, ...given] }: SimpleCommand): readonly string[] {
  if (!READS_AT.has(baseName(program?.text ?? ""))) return [];
  return given.flatMap(({ text }) => (/^@./.test(text) ? [text.slice(1)] : []));
}
