import type { Word } from "../../core/command.ts";
import { parseWindowsArguments } from "./windows-arguments.ts";

/** The arguments of a shell, parsed. */
export interface ShellArguments {
  /** Texts that the shell runs as commands. */
  readonly texts: readonly Word[];
  /** Arguments after the text that the text may run as a command. */
  readonly commands: readonly (readonly Word[])[];
  /** Files that it runs as scripts. */
  readonly files: readonly Word[];
  /** Arguments that it passes to the text or file. */
  readonly given: readonly Word[];
  readonly doubt?: string;
}

/** Parses the command line of a shell, beginning with its name, and returns what it would run. */
export function parseShellArguments(name: string, words: readonly Word[]): ShellArguments {
  if (/^(?:pwsh|powershell|cmd)/i.test(name)) return parseWindowsArguments(name, words);
  const options = readOptions(name === "nu" ? words.map(fromNu) : words);
  const [operand, ...rest] = words.slice(options.at);
  if (options.isUncertain) options.doubt ??= `what ${name} would run is unknown`;
  if (options.hasText && operand !== undefined) return withText(operand, rest, options);
  return withoutText(name, operand, rest, options);
}

/** Nushell has other names for `-c`. */
function fromNu(word: Word): Word {
  return /^(?:-e|--execute|--commands)$/.test(word.text) ? { ...word, text: "-c" } : word;
}

interface Options {
  at: number;
  hasText: boolean;
  readsInput: boolean;
  onlyPrints: boolean;
  isUncertain: boolean;
  doubt: string | undefined;
  readonly texts: Word[];
  readonly files: Word[];
}

function doubtOf({ doubt }: Options): { readonly doubt?: string } {
  return doubt === undefined ? {} : { doubt };
}

/** Each letter of a cluster is an option; `o` and `O` take the following argument. */
function readOptions(words: readonly Word[]): Options {
  const options: Options = {
    doubt: undefined,
    files: [],
    at: 1,
    hasText: false,
    readsInput: false,
    onlyPrints: false,
    isUncertain: false,
    texts: [],
  };
  while (options.at < words.length) {
    const word = words[options.at];
    if (word === undefined) break;
    if (!word.literal) options.isUncertain ||= !options.hasText || /^[-+$]/.test(word.text);
    if (!/^[-+]/.test(word.text)) break;
    options.at++;
    if (word.text === "--" || word.text === "-") break;
    if (word.text.startsWith("--")) readLongOption(word, words, options);
    else readLetters(word, words, options);
  }
  return options;
}

const LONG_WITH_VALUE = /^--(?:emulate|features|profile|debug-level)$/;
const LONG_PLAIN =
  /^--(?:login|noprofile|norc|posix|restricted|verbose|noediting|debugger|dump-strings|interactive|no-config|private|no-execute|no-globalrcs|no-rcs)$/;

function readLongOption(word: Word, words: readonly Word[], options: Options): void {
  const { text } = word;
  if (/^--(?:version|help)$/.test(text)) options.onlyPrints = true;
  else if (/^--(?:commands?|init-command|execute)=/.test(text)) {
    options.texts.push({ text: text.slice(text.indexOf("=") + 1), literal: word.literal });
  } else if (/^--(?:command|init-command)$/.test(text)) take(words, options, options.texts);
  else if (/^--(?:rcfile|init-file)$/.test(text)) take(words, options, options.files);
  else if (LONG_WITH_VALUE.test(text)) options.at++;
  else if (!LONG_PLAIN.test(text)) options.isUncertain = true;
}

function readLetters(word: Word, words: readonly Word[], options: Options): void {
  const letters = word.text.slice(1);
  if (word.text.startsWith("-")) {
    if (letters.includes("c")) options.hasText = true;
    if (letters.includes("s")) options.readsInput = true;
    if (letters === "C") take(words, options, options.texts);
  }
  for (const letter of letters) {
    if (letter === "o" || letter === "O") options.at++;
  }
}

function take(words: readonly Word[], options: Options, into: Word[]): void {
  const word = words[options.at];
  if (word !== undefined) into.push(word);
  options.at++;
}

function withText(text: Word, given: readonly Word[], options: Options): ShellArguments {
  const isPassedOn = given.length > 0 && /\$(?:[@*\d]|\{[@*\d])/.test(text.text);
  if (isPassedOn) options.doubt ??= "the text runs the arguments after it";
  const commands = isPassedOn ? [given, given.slice(1)].filter((words) => words.length > 0) : [];
  return { texts: [...options.texts, text], files: options.files, given, commands, ...doubtOf(options) };
}

function withoutText(
  name: string,
  operand: Word | undefined,
  given: readonly Word[],
  options: Options,
): ShellArguments {
  const { texts, files } = options;
  const isFed = options.hasText || options.readsInput || isStandardInput(operand?.text ?? "");
  const hasTask = operand !== undefined || texts.length > 0 || options.onlyPrints;
  if (isFed || !hasTask) options.doubt ??= `${name} reads commands from its input`;
  const all = operand === undefined || isFed ? files : [...files, operand];
  return { texts, files: all, given, commands: [], ...doubtOf(options) };
}

/** Splits a text into words as `env -S` does; `isSure` only if it contains nothing but plain characters and blanks. */
export function splitText({ text, literal }: Word): {
  readonly words: readonly Word[];
  readonly isSure: boolean;
} {
  const isSure = literal && !/["'\\$#`]/.test(text);
  // `env` has its own escapes for blanks and for the end of the text.
  const plain = text.replace(/\\c[^]*/, "").replaceAll(/\\[_fnrtv]/g, " ");
  const parts = plain.replaceAll(/["'\\]/g, "").split(/\s+/);
  const words = parts
    .filter((part) => part !== "")
    .map((part) => ({ text: part, literal: literal && !part.includes("$") }));
  return { words, isSure };
}

/** Variables whose value some program runs as a command: pagers, editors, password prompts, transports and prompts. */
const COMMAND_VARIABLE =
  /^(?:\w*PAGER|\w*EDITOR|VISUAL|FCEDIT|\w*_ASKPASS|GIT_SSH(?:_COMMAND)?|GIT_(?:PROXY_COMMAND|EXTERNAL_DIFF|CONFIG_VALUE_\d+)|GIT_CONFIG_PARAMETERS=["']?[\w.-]+["']?|LESS(?:OPEN|CLOSE)|PROMPT_COMMAND|PS[0-4]|BROWSER|(?:RSYNC|CVS)_RSH|SVN_SSH)\+?=["']?[|!-]*(?<text>[^]+)$/;

/** Variables that name a file which shells and interpreters run when they start. */
const SCRIPT_VARIABLE = /^(?:BASH_ENV|ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT|NODE_OPTIONS)\+?=(?<text>[^]+)$/;

/** Returns the command in an assignment such as `GIT_PAGER=less` or `BASH_ENV=file`; undefined for other variables. */
export function commandInAssignment({ text, literal }: Word): Word | undefined {
  const file = SCRIPT_VARIABLE.exec(text)?.groups?.["text"];
  if (file !== undefined) return { text: `. ${file}`, literal };
  const command = COMMAND_VARIABLE.exec(text)?.groups?.["text"];
  return command === undefined ? undefined : { text: command, literal };
}

/** Returns true for a text with a substitution in a subscript: a shell that evaluates it as arithmetic runs it, even if it was quoted. */
export function hasHiddenCode(text: string): boolean {
  return text.includes("[") && /[A-Za-z_]\w*\[[^\]]*(?:`|\$\(|\$\{)/.test(text);
}

/** Returns true for a file name that stands for standard input. */
export function isStandardInput(text: string): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(text);
}

/** Shells, which run what they read on standard input. */
const SHELLS: ReadonlySet<string> = new Set(
  "sh bash dash ash zsh ksh mksh rbash yash osh fish csh tcsh rc elvish xonsh nu pwsh powershell cmd".split(
    " ",
  ),
);

/** Returns true for the base name of a shell, also with a version: `ksh93`. */
export function isShellName(program = ""): boolean {
  return SHELLS.has(program) || (/\d$/.test(program) && SHELLS.has(program.replace(/[-.\d]+$/, "")));
}

/** Returns the part after the last slash. */
export function baseName(program: string): string {
  const slash = program.lastIndexOf("/");
  return slash < 0 ? program : program.slice(slash + 1);
}
