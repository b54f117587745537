import type { SimpleCommand } from "../../core/command.ts";

/**
 * The programs that run without approval and without a sandbox, with all flags they may have. They read what they name and
 * nothing else: no config file, no link to another program, no plug-in.
 */
const BASIC: Readonly<Record<string, readonly string[]>> = {
  pwd: [],
  echo: ["-n"],
  true: [],
  false: [],
  date: ["-u", "-I"],
  whoami: [],
  basename: [],
  dirname: [],
  ls: flags("1 a A d F h l p r S t -all -almost-all -human-readable"),
  cat: flags("A b E n s T v"),
  head: flags("c n q v"),
  tail: flags("c n q v"),
  wc: flags("c l L m w"),
  stat: flags("c f t"),
  cut: flags("b c d f s"),
  tr: flags("c d s"),
  uniq: flags("c d i u"),
  sort: flags("b f h k n r t u V"),
  diff: flags("b i q u w"),
  find: flags("iname maxdepth mindepth name not path print type"),
  rg: flags("A B C c F g i l n o t v w -files"),
  grep: flags("A B C c E F H h i l L m n o q r s v w x -color=never"),
};

/** Programs that show the processes, the memory and the file systems of the machine, and read no file that an argument names. */
const OF_MACHINE: ReadonlySet<string> = new Set(["ps", "df", "free", "uptime", "id"]);

/** Returns true for a command that is proven to read, and about the machine: in a sandbox it would be about another one. */
export function showsMachine({ words, redirects }: SimpleCommand): boolean {
  return redirects.length === 0 && OF_MACHINE.has(words[0]?.text ?? "");
}

/** Further programs by their first argument, which is a subcommand. */
const BASIC_SUBCOMMANDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  git: {
    status: flags("s b -short -branch -porcelain"),
    log: flags("n p -oneline -stat -graph -decorate -all"),
    diff: flags("-stat -cached -staged -name-only -name-status -check"),
    show: flags("-stat -name-only -name-status -oneline"),
    branch: ["--show-current", "-a", "-v", "-vv", "--list"],
    "rev-parse": ["HEAD", "--show-toplevel", "--abbrev-ref", "--short"],
    "ls-files": flags("c m o -cached -modified -others -exclude-standard"),
  },
};

function flags(letters: string): readonly string[] {
  return letters.split(" ").map((letter) => `-${letter}`);
}

/** Returns true for a command that is safe without a sandbox: a program of a short list with exactly known flags. */
export function isBasic({ words, assignments }: SimpleCommand): boolean {
  const [program = "", first = "", ...rest] = words.map(({ text }) => text);
  if (assignments.length > 0 || words.some(({ literal }) => !literal)) return false;
  const known = Object.hasOwn(BASIC, program) ? BASIC[program] : undefined;
  if (known !== undefined)
    return (words.length === 1 ? [] : [first, ...rest]).every((word) => isKnown(word, known));
  const subcommands = Object.hasOwn(BASIC_SUBCOMMANDS, program) ? BASIC_SUBCOMMANDS[program] : undefined;
  const own = subcommands !== undefined && Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
  return own !== undefined && rest.every((word) => isKnown(word, own));
}

/** Several letters behind one dash are several flags; the last may have its value attached: `-la`, `-n5`. Digits alone are a number of lines: `-100`. */
function isKnown(word: string, known: readonly string[]): boolean {
  if (!word.startsWith("-") || word === "-" || known.includes(word)) return true;
  if (/^-\d+$/.test(word)) return true;
  const [, letters = "", digits = ""] = /^-([A-Za-z1]+?)(\d*)$/.exec(word) ?? [];
  return (
    letters !== "" && digits.length < 10 && letters.split("").every((letter) => known.includes(`-${letter}`))
  );
}
