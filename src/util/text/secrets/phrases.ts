import type { Range } from "./ranges.ts";
import { isPlaceholder, looksRandom } from "./randomness.ts";
import { isSecretValue } from "./values.ts";

/** A secret that is told by the words before it. */
interface Phrase {
  readonly name: string;
  /** The text is only compared with the pattern where this is found. */
  readonly needle: string;
  /** Begins at the needle; its only group, at its end, is the secret. */
  readonly pattern: RegExp;
  readonly isSecret: (value: string) => boolean;
}

const isGenerated = (value: string): boolean => looksRandom(value, 10) && !isPlaceholder(value);
const isPassword = (value: string): boolean =>
  isSecretValue(value, { kind: "password", isQuoted: true, isVariable: false });
const isAny = (value: string): boolean => !isPlaceholder(value);

/** The words before a secret. docs/secrets.md lists them. */
const PHRASES: readonly Phrase[] = [
  phrase("`Bearer TOKEN`", "Bearer ", "\\s*([\\w.~+/=-]{12,})", isGenerated),
  phrase("`Basic CREDENTIALS`", "Basic ", "\\s*([0-9A-Za-z+/]{8,}={0,2})(?![\\w-])", isPair),
  phrase(
    "`--password VALUE`, also of other names",
    "--",
    `(?:[a-z-]{0,40}-)?(?:password|passwd|pass|token|secret|key) {1,8}["']?([^\\s"'\`\\\\]{6,})`,
    isPassword,
  ),
  phrase(
    "`-u USER:PASSWORD`",
    "-u",
    "(?<=(?:^|\\s)-u)[ =]{1,8}[\"']?[\\w.@+-]{1,64}:([^\\s\"'`\\\\@:]{4,})",
    isPassword,
  ),
  phrase(
    "`machine HOST login USER password VALUE`",
    "machine",
    " \\S{1,256}\\s+login\\s+\\S{1,64}\\s+password\\s+([^\\s\"']{4,})",
    isAny,
  ),
];

function phrase(name: string, needle: string, rest: string, isSecret: (value: string) => boolean): Phrase {
  const start = needle.replaceAll(/[.$]/g, "\\$&");
  return { name, needle, pattern: new RegExp(start + rest, "y"), isSecret };
}

/** Returns whether a text is the base64 of a user and a password. */
function isPair(value: string): boolean {
  return /^[\x20-\x7e]{1,128}:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}

/** Adds the places of secrets that are told by the words before them. */
export function findPhrases(text: string, ranges: Range[]): void {
  for (const { needle, pattern, isSecret } of PHRASES) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      pattern.lastIndex = at;
      const [, secret] = pattern.exec(text) ?? [];
      if (secret !== undefined && isSecret(secret))
        ranges.push([pattern.lastIndex - secret.length, pattern.lastIndex]);
    }
  }
}
