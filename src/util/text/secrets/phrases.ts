import type { Range } from "./ranges.ts";
import { isPlaceholder, looksRandom } from "./randomness.ts";
import { isSecretValue } from "./values.ts";

/** A secret that is told by the words before it. */
interface Phrase {
  readonly name: string;
  /** Matches the words before it. */
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
const WORDS = new RegExp(OPTIONS.map(({ words }) => words).join("|"), "g");

function phrase(name: string, words: string, rest: string, isSecret: (value: string) => boolean): Phrase {
  return { name, words, pattern: new RegExp(words + rest, "y"), isSecret };
}

/** Returns whether a text is the base64 of a user and a password. */
function isPair(value: string): boolean {
  return /^[\x20-\x7e]{1,128}:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}

/** Adds the places of secrets that are told by the words before them. */
export function findPhrases(text: string, ranges: Range[]): void {
  for (const one of SCHEMES) {
    const { words } = one;
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length))
      addSecret(text, at, one, ranges);
  }
  WORDS.lastIndex = 0;
  for (let found = WORDS.exec(text); found !== null; found = WORDS.exec(text))
    for (const one of OPTIONS) addSecret(text, found.index, one, ranges);
}

function addSecret(text: string, at: number, { pattern, isSecret }: Phrase, ranges: Range[]): void {
  pattern.lastIndex = at;
  const [, secret] = pattern.exec(text) ?? [];
  if (secret !== undefined && isSecret(secret))
    ranges.push([pattern.lastIndex - secret.length, pattern.lastIndex]);
}
