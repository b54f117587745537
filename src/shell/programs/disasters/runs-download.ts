import type { SimpleCommand } from "../../../core/command.ts";
import { baseName, findProgram } from "../find-program.ts";

const DOWNLOADERS: ReadonlySet<string> = new Set(
  "curl wget wget2 fetch aria2c axel http https xh lynx w3m lwp-download GET".split(" "),
);

/** True where one command downloads and another runs what it reads or is handed: `curl … | sh`, `eval "$(curl …)"`. */
export function runsDownload(commands: readonly SimpleCommand[]): boolean {
  if (commands.length < 2) return false;
  return commands.some((command) => DOWNLOADERS.has(nameOf(command))) && commands.some(runsWhatItIsHanded);
}

function nameOf({ words }: SimpleCommand): string {
  return baseName(words[0]?.text ?? "");
}

/** A shell or interpreter with nothing of its own to run, or with something that an expansion brings. */
function runsWhatItIsHanded(command: SimpleCommand): boolean {
  const name = nameOf(command);
  const kind = findProgram(name)?.ungrantable;
  if (kind !== "shell" && kind !== "interpreter") return false;
  const [, ...words] = command.words;
  if (words.some(({ literal }) => !literal)) return true;
  if (SHELL_WORDS.has(name)) return false;
  const own = words.filter(({ text }) => !/^-[A-Za-z]*$|^--/.test(text) && text !== "/dev/stdin");
  return own.length === 0 || words.some(({ text }) => text === "-" || text === "-s" || text === "/dev/stdin");
}

/** These are part of the shell that runs already, and read no input as commands. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  "eval trap alias export declare typeset local readonly set unset read let shopt history umask".split(" "),
);
