import type { SimpleCommand } from "../../../core/command.ts";
import { baseName } from "../../syntax/shell-arguments.ts";
import { findProgram } from "../find-program.ts";

const DOWNLOADERS: ReadonlySet<string> = new Set(
  "curl wget wget2 fetch aria2c axel http https xh lynx w3m lwp-download GET".split(" "),
);

/** Returns true if one command downloads and another runs its input or arguments: `curl … | sh`, `eval "$(curl …)"`. */
export function runsDownload(commands: readonly SimpleCommand[]): boolean {
  if (commands.length < 2) return false;
  return commands.some((command) => DOWNLOADERS.has(nameOf(command))) && commands.some(runsInput);
}

function nameOf({ words }: SimpleCommand): string {
  return baseName(words[0]?.text ?? "");
}

/** Returns true for a shell or interpreter without a script, or with an argument that is still to be expanded. */
function runsInput(command: SimpleCommand): boolean {
  const name = nameOf(command);
  const kind = findProgram(name)?.ungrantable;
  if (kind !== "shell" && kind !== "interpreter") return false;
  const [, ...words] = command.words;
  if (words.some(({ literal }) => !literal)) return true;
  if (SHELL_WORDS.has(name)) return false;
  const own = words.filter(({ text }) => !/^-[A-Za-z]*$|^--/.test(text) && text !== "/dev/stdin");
  return own.length === 0 || words.some(({ text }) => text === "-" || text === "-s" || text === "/dev/stdin");
}

/** Builtins, which do not read commands from their input. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  "eval trap alias export declare typeset local readonly set unset read let shopt history umask".split(" "),
);
