import type { Range } from "./ranges.ts";
import { isPlaceholder, looksRandom } from "./randomness.ts";
import { isSecretValue } from "./values.ts";

/** A secret that is told by the words before it. */
interface Phrase {
  readonly name: string;
  readonly words: string;
  /** Begins with the words; its only group, at its end, is the secret. */
  readonly pattern: RegExp;
  readonly isSecret: (value: string) => boolean;
}

const isGenerated = (value: string): boolean => looksRandom(value, 10) && !isPlaceholder(value);
const isPassword = (value: string): boolean =>
  isSecretValue(value, { kind: "password", isQuoted: true, isVariable: false });
const isAny = (value: string): boolean => !isPlaceholder(value);

/** Those with words that begin with a rare letter: a search for one character is native. */
const SCHEMES: readonly Phrase[] = [
  phrase("`Bearer TOKEN`", "Bearer ", "\\s*([\\w.~+/=-]{12,})", isGenerated),
  phrase("`Basic CREDENTIALS`", "Basic ", "\\s*([0-9A-Za-z+/]{8,}={0,2})(?![\\w-])", isPair),
];

/** The others. docs/secrets.md lists all of them. */
const OPTIONS: readonly Phrase[] = [
  phrase(
    "`--password VALUE`, also of other names",
    // A line of dashes has one place to begin.
    "--(?!-)(?:[a-z-]{0,40}-)?(?:password|passwd|pass|token|secret|key) ",
    " {0,7}[\"']?([^\\s\"'`\\\\]{6,})",
    isPassword,
  ),
  phrase(
    "`-u USER:PASSWORD`",
    "-(?<=(?:^|\\s)-)u[ =]",
    "[ =]{0,7}[\"']?[\\w.@+-]{1,64}:([^\\s\"'`\\\\@:]{4,})",
    isPassword,
  ),
  phrase(
    "`machine HOST login USER password VALUE`",
    "machine ",
    "\\S{1,256}\\s+login\\s+\\S{1,64}\\s+password\\s+([^\\s\"']{4,})",
    isAny,
  ),
];
const ANY_OPTION = new RegExp(OPTIONS.map(({ pattern }) => pattern.source).join("|"), "g");

function phrase(name: string, words: string, rest: string, isSecret: (value: string) => boolean): Phrase {
  return { name, words, pattern: new RegExp(words + rest, "y"), isSecret };
}

/** Returns whether a text is the base64 of a user and a password. */
function isPair(value: string): boolean {
  return /^[\x20-\x7e]{1,128}:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}

/** Adds the places of secrets that are told by the words before them. */
export function findPhrases(text: string, ranges: Range[]): void {
  for (const { words, pattern, isSecret } of SCHEMES) {
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      pattern.lastIndex = at;
      const [, secret] = pattern.exec(text) ?? [];
      if (secret !== undefined && isSecret(secret)) addEnd(secret, pattern.lastIndex, ranges);
    }
  }
  ANY_OPTION.lastIndex = 0;
  for (let option = ANY_OPTION.exec(text); option !== null; option = ANY_OPTION.exec(text)) {
    for (const [index, { isSecret }] of OPTIONS.entries()) {
      const secret = option[index + 1];
      if (secret !== undefined && isSecret(secret)) addEnd(secret, ANY_OPTION.lastIndex, ranges);
    }
    // A value may be the next option.
    ANY_OPTION.lastIndex = option.index + 2;
  }
}

function addEnd(secret: string, end: number, ranges: Range[]): void {
  ranges.push([end - secret.length, end]);
}
