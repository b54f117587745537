import type { Word } from "../../core/command.ts";
import { isStandardInput } from "./standard-input.ts";

export interface ShellWords {
  /** What the shell would read as commands. */
  readonly texts: readonly Word[];
  /** Words after the text that the text may start. */
  readonly commands: readonly (readonly Word[])[];
  /** Files whose lines it would run. */
  readonly files: readonly Word[];
  /** What it hands to the text or file. */
  readonly given: readonly Word[];
  readonly doubt?: string;
}

/** Reads the words of a shell's own command line, its name first: which text would it run? */
export function readShellWords(name: string, words: readonly Word[]): ShellWords {
  if (/^(?:pwsh|powershell|cmd)/i.test(name)) return readWindowsWords(words);
  const options = readOptions(words);
  const [operand, ...given] = words.slice(options.at);
  if (options.isUncertain) options.doubt ??= `what ${name} is told to run cannot be told`;
  if (options.hasText && operand !== undefined) return withText(operand, given, options);
  return withoutText(name, operand, given, options);
}

interface Options {
  at: number;
  hasText: boolean;
  readsInput: boolean;
  onlyTells: boolean;
  isUncertain: boolean;
  doubt: string | undefined;
  readonly texts: Word[];
  readonly files: Word[];
}

function doubtOf({ doubt }: Options): { readonly doubt?: string } {
  return doubt === undefined ? {} : { doubt };
}

/** Letters in one word are options apart; `o` and `O` take a word each, after it. */
function readOptions(words: readonly Word[]): Options {
  const options: Options = {
    doubt: undefined,
    files: [],
    at: 1,
    hasText: false,
    readsInput: false,
    onlyTells: false,
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
  if (/^--(?:version|help)$/.test(text)) options.onlyTells = true;
  else if (/^--(?:command|init-command)=/.test(text)) {
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

function withText(text: Word, given: readonly Word[], options: Options): ShellWords {
  const isHandedOn = given.length > 0 && /\$(?:[@*\d]|\{[@*\d])/.test(text.text);
  if (isHandedOn) options.doubt ??= "the text runs the words that follow it";
  const commands = isHandedOn ? [given, given.slice(1)].filter((words) => words.length > 0) : [];
  return { texts: [...options.texts, text], files: options.files, given, commands, ...doubtOf(options) };
}

function withoutText(
  name: string,
  operand: Word | undefined,
  given: readonly Word[],
  options: Options,
): ShellWords {
  const { texts, files } = options;
  const isFed = options.hasText || options.readsInput || isStandardInput(operand?.text ?? "");
  const isTold = operand !== undefined || texts.length > 0 || options.onlyTells;
  if (isFed || !isTold) options.doubt ??= `${name} reads commands from its input`;
  const all = operand === undefined || isFed ? files : [...files, operand];
  return { texts, files: all, given, commands: [], ...doubtOf(options) };
}

/** `-Command` and `/c` take all that follows. */
function readWindowsWords(words: readonly Word[]): ShellWords {
  const at = words.findIndex(({ text }) => /^(?:-c|-e|\/c|\/k)/i.test(text));
  const rest = at < 0 ? [] : words.slice(at + 1);
  const text = rest.map((word) => word.text).join(" ");
  const texts = text === "" ? [] : [{ text, literal: rest.every(({ literal }) => literal) }];
  return {
    texts,
    files: [],
    given: [],
    commands: [],
    doubt: "a shell of another kind reads its words in its own way",
  };
}
