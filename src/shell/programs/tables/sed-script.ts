import type { Word } from "../../../core/command.ts";
import type { Use } from "./program.ts";

/** Returns true if every script of this `sed` only prints, deletes and substitutes. */
export function isPlainSedUse(use: Use): boolean {
  const scripts = scriptsOf(use);
  return scripts.length > 0 && scripts.every(({ text }) => isPlainSedScript(text));
}

/** Returns the scripts that may write a file or run a command. */
export function sedWordsThatAct(use: Use): readonly Word[] {
  return scriptsOf(use).filter(({ text }) => !isPlainSedScript(text));
}

function scriptsOf({ flags, operands }: Use): readonly Word[] {
  const scripts = flags.filter(({ flag }) => flag.name === "-e").flatMap(({ values }) => values);
  const isGiven = scripts.length > 0 || flags.some(({ flag }) => flag.name === "-f");
  return isGiven ? scripts : operands.slice(0, 1);
}

/** Implementations differ on a delimiter inside brackets, so such brackets are not plain. */
function partUpTo(delimiter: string): string {
  const plain = String.raw`[^${delimiter}\\\n[]`;
  const inBrackets = String.raw`[^${delimiter}\\\n[\]]|\[:[a-z]+:\]`;
  return String.raw`(?:${plain}|\\[^\n]|\[\^?(?:${inBrackets})+\])*`;
}

/** `s` with one delimiter, without the flags `e`, which runs the result, and `w`, which writes it. */
function substituteBy(delimiter: string): string {
  const part = partUpTo(delimiter);
  return String.raw`s[${delimiter}]${part}[${delimiter}]${part}[${delimiter}][gpiI\d]*`;
}

const BLANKS = String.raw`[ \t]*`;
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/${partUpTo("/")}/I?)`;
const ADDRESSES = String.raw`(?:${ADDRESS}(?:,${BLANKS}(?:${ADDRESS}|[+~]\d+))?${BLANKS}!?${BLANKS})?`;
const COMMAND = String.raw`(?:[dDgGhHnNpPxz=]|[qQ]\d*|${["/", "|", "#", ",", ":", "@", "!", "%"].map(substituteBy).join("|")})`;
const PLAIN = new RegExp(String.raw`^${BLANKS}(?:${ADDRESSES}${COMMAND}${BLANKS}(?:[;\n][;\n \t]*|$))+$`);
const MAX_LENGTH = 1_000;

function isPlainSedScript(text: string): boolean {
  return text.length <= MAX_LENGTH && PLAIN.test(text);
}
