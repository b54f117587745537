import { ToolError } from "../../core/errors.ts";

/** A pattern for one name, without slashes. */
export interface NamePattern {
  /** Set if only this name matches. */
  readonly literal: string | undefined;
  /** The longest text that every matching name contains. */
  readonly clue: string;
  readonly matches: (name: string) => boolean;
}

/** Matches one character, or for a star any number of them. */
export type Token = "*" | "?" | { readonly one: string } | CharacterClass;
export interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** How strictly a pattern is parsed. */
export interface NameReading {
  /** Accepts a range like `[z-a]` as `[a-z]`; else it is refused. */
  readonly mayBeReversed?: boolean;
}

/**
 * Compiles `*`, `?`, `[a-z]` and backslashes. Matching takes at most the product of both lengths. Throws `INVALID_INPUT`
 * with a message about "it": the caller adds the pattern.
 */
export function compileName(pattern: string, reading: NameReading = {}): NamePattern {
  return compileTokens(tokensOf(Array.from(pattern), reading));
}

/** Compiles a pattern that is parsed already. */
export function compileTokens(tokens: readonly Token[]): NamePattern {
  if (tokens.length === 1 && tokens[0] === "*") return ANY_NAME;
  const letters = tokens.flatMap((token) => (typeof token === "object" && "one" in token ? token.one : []));
  if (letters.length === tokens.length) return literalName(letters.join(""));
  return { literal: undefined, clue: clueOf(tokens), matches: (name) => matchTokens(tokens, name) };
}

/** Returns a pattern that matches only this name. */
export function literalName(literal: string): NamePattern {
  return { literal, clue: literal, matches: (name) => name === literal };
}

/** Compiles a name in which only `*` is special: it matches any part of a name. */
export function starPattern(pattern: string): (name: string) => boolean {
  const { matches } = compileName(escapePattern(pattern).replaceAll(String.raw`\*`, "*"));
  return matches;
}

/** Matches every name. */
export const ANY_NAME: NamePattern = { literal: undefined, clue: "", matches: () => true };

/** Escapes every character that is special in a pattern. */
export function escapePattern(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`) : text;
}

const SPECIAL = /[\\*?[\]{}]/;

function clueOf(tokens: readonly Token[]): string {
  let [best, run] = ["", ""];
  for (const token of tokens) {
    run = typeof token === "object" && "one" in token ? run + token.one : "";
    if (run.length > best.length) best = run;
  }
  return best;
}

function tokensOf(characters: readonly string[], reading: NameReading): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "\\") {
      at += 1;
      const next = characters[at];
      if (next === undefined) throw unreadable("it ends with a backslash");
      tokens.push({ one: next });
    } else if (character === "[") {
      const end = endOfClass(characters, at);
      if (end < 0) throw unreadable("it has a [ without a ]");
      tokens.push(classOf(characters.slice(at + 1, end), reading));
      at = end;
    } else if (character === "*" || character === "?") {
      if (character === "?" || tokens.at(-1) !== "*") tokens.push(character);
    } else {
      tokens.push({ one: character });
    }
  }
  return tokens;
}

/** A bracket that comes first, or first after a negation, is a member, not the end. */
function endOfClass(characters: readonly string[], start: number): number {
  const first = characters[start + 1];
  return characters.indexOf("]", start + (first === "!" || first === "^" ? 3 : 2));
}

function classOf(members: readonly string[], { mayBeReversed = false }: NameReading): CharacterClass {
  const isNegated = members[0] === "!" || members[0] === "^";
  const rest = isNegated ? members.slice(1) : members;
  const ranges: [number, number][] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const isRange = rest[at + 1] === "-" && at + 2 < rest.length;
    const [first, last] = [codeOf(rest[at]), codeOf(rest[isRange ? at + 2 : at])];
    if (last < first && !mayBeReversed) throw unreadable("it has a reversed range");
    ranges.push([Math.min(first, last), Math.max(first, last)]);
    if (isRange) at += 2;
  }
  return { isNegated, ranges };
}

function matchTokens(tokens: readonly Token[], name: string): boolean {
  let [token, at, afterStar, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = tokens[token];
    const length = wanted === undefined ? 0 : lengthMatched(wanted, name, at);
    if (wanted === "*") {
      token += 1;
      [afterStar, resume] = [token, at];
    } else if (length > 0) {
      token += 1;
      at += length;
    } else {
      if (afterStar < 0) return false;
      resume += 1;
      [token, at] = [afterStar, resume];
    }
  }
  return tokens.slice(token).every((left) => left === "*");
}

/** Returns how many characters of the name a token matches; 0 if it does not match. */
function lengthMatched(token: Token, name: string, at: number): number {
  const code = name.codePointAt(at) ?? 0;
  const length = code > 0xffff ? 2 : 1;
  if (token === "?") return length;
  if (token === "*") return 0;
  if ("one" in token) return codeOf(token.one) === code ? length : 0;
  const isMember = token.ranges.some(([first, last]) => first <= code && code <= last);
  return isMember === token.isNegated ? 0 : length;
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? -1;
}

function unreadable(reason: string): ToolError {
  return new ToolError("INVALID_INPUT", reason, { hint: "escape a literal character with a backslash" });
}
