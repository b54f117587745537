import type { PathWord, SimpleCommand, Word } from "../../core/command.ts";
import type { CommandTraits } from "../syntax/command-knowledge.ts";
import { listedNames } from "../syntax/listed-names.ts";
import { printedBy } from "../syntax/printed-text.ts";
import { baseName } from "../syntax/shell-arguments.ts";

/**
 * Returns the paths in the texts that a command prints, if one part of it writes a file and another may read paths from one:
 * `echo a > list; tar -cT list`.
 */
export function pathsInWrittenLists(
  commands: readonly SimpleCommand[],
  traits: readonly CommandTraits[],
): readonly PathWord[] {
  if (!commands.some(writesFile)) return NONE;
  if (!commands.some((command, index) => readsList(command, traits[index]))) return NONE;
  return commands.flatMap((command) => {
    const text = printedText(command);
    if (text === undefined) return NONE;
    return listedNames(text).flatMap((name) => command.cwds.flatMap((cwd) => suspected(name, cwd)));
  });
}

const NONE: readonly PathWord[] = [];

function writesFile({ words, redirects }: SimpleCommand): boolean {
  return redirects.some(({ access }) => access === "write") || WRITERS.has(programOf(words));
}

const WRITERS: ReadonlySet<string> = new Set(["tee", "sponge", "dd", "cp", "install"]);

/** Returns true if the command may read names from a file: as a list, as the input of `xargs`, or with `read`. */
function readsList({ words, via, input }: SimpleCommand, traits: CommandTraits | undefined): boolean {
  const isListed = traits?.namesFrom === "file" || (traits?.namesFrom === "input" && input?.literal !== true);
  if (isListed || READERS.has(programOf(words))) return true;
  return via.some((starter) => READERS.has(baseName(starter)));
}

const READERS: ReadonlySet<string> = new Set(["xargs", "gxargs", "parallel", "read", "mapfile", "readarray"]);

function programOf([program]: readonly Word[]): string {
  return baseName(program?.text ?? "");
}

/** Returns what a printer prints, or the here-document that another program passes on. */
function printedText({ words, input }: SimpleCommand): Word | undefined {
  const text = printedBy(words);
  if (text !== undefined) return { text, literal: false };
  return input?.text === "" ? undefined : input;
}

function suspected(text: string, cwd: string): readonly PathWord[] {
  return (["read", "write"] as const).map((access) => ({ text, cwd, access, suspected: true }));
}
