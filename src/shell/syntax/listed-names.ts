import type { Word } from "../../core/command.ts";
import { decodeEscapes } from "./escapes.ts";
import { baseName } from "./shell-arguments.ts";

/** Programs that print names of files, some of which their arguments contain. */
const PRINTS_NAMES: ReadonlySet<string> = new Set(
  "find gfind fd fdfind ls git ag ack locate plocate stat readlink realpath basename dirname echo printf".split(
    " ",
  ),
);
/** Programs whose pattern may be a name, if they filter a list of names. */
const FILTERS = /^(?:[efz]?grep|rg|awk|gawk|mawk|sed)$/;
/** Further programs that print some or all of what they read. */
const PASSES_ON: ReadonlySet<string> = new Set(
  "cat tee sort uniq head tail tr cut rev tac nl shuf fold paste column xargs parallel sponge pv iconv env sudo timeout".split(
    " ",
  ),
);
const EXCLUDES = /^(?:-[A-Za-z]*v[A-Za-z]*|--invert-match|!|-not)$/;

/** Returns the names that a program may print though its output is not known, as one text. */
export function guessNames(words: readonly Word[], input: Word | undefined): string {
  const [first, ...rest] = words;
  const program = baseName(first?.text ?? "");
  const args = rest.map(({ text }) => text);
  const isFilter = input !== undefined && FILTERS.test(program);
  const mayName = (PRINTS_NAMES.has(program) && args[0] !== "grep") || isFilter;
  const named = mayName && !args.some((text) => EXCLUDES.test(text)) ? args.filter(isNoFlag) : [];
  const listed = LISTS_FOLDERS.has(program) ? [ANY_NAME] : [];
  if (input === undefined || !(isFilter || PASSES_ON.has(program))) return [...named, ...listed].join("\n");
  const passed = mayContain(input);
  const isOpen = isFilter && passed.split("\n").includes(ANY_NAME);
  const matching = isOpen ? named.filter((text) => PLAIN_PART.test(text)) : [];
  return [passed, ...named, ...matching.flatMap((part) => [`*${part}*`, `.*${part}*`])].join("\n");
}

/** Programs that list the names in a folder, and what stands for any of them. */
const LISTS_FOLDERS: ReadonlySet<string> = new Set("ls find gfind fd fdfind locate plocate".split(" "));
const ANY_NAME = "*";
const PLAIN_PART = /^[\w.-]{2,}$/;

function isNoFlag(text: string): boolean {
  return !text.startsWith("-");
}

function mayContain({ text, guess = "" }: Word): string {
  return guess === "" ? text : `${text}\n${guess}`;
}

/** Returns the names that a list on standard input has, or may have. */
export function listedNames(input: Word): readonly string[] {
  const text = mayContain(input);
  // `xargs` removes quotes and backslashes, and printers decode escapes.
  const spellings = text.includes("\\")
    ? [text, text.replaceAll(/["'\\]/g, ""), decodeEscapes(text)]
    : [text, text.replaceAll(/["']/g, "")];
  const names = spellings
    .flatMap((one) => one.split(SEPARATOR))
    .flatMap((name) => (name.includes(":") ? [name, ...name.split(":")] : name));
  return [...new Set(names)].filter((name) => /[\w.*?~]/.test(name));
}

/** Returns the lines that a text on standard input has, or may have. */
export function listedLines(input: Word): readonly string[] {
  const lines = mayContain(input).split("\n");
  return [...new Set(lines.map((line) => line.trim()))].filter((line) => line !== "");
}

const SEPARATOR = /[\s\0"'`;|&<>()$,^]+/;
