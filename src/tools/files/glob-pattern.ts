import { ToolError } from "../../core/errors.ts";
import { expandBraces } from "./expand-braces.ts";

/** Says whether a path, written with slashes and relative to where the pattern counts from, is meant. */
export type PathMatch = (path: string) => boolean;

/** Matches one character, or for a star any number of them. */
type Token = "*" | "?" | { readonly one: string } | CharacterClass;
interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}
/** The tokens of one name, or any number of folders. */
type Segment = "**" | readonly Token[];

/**
 * Compiles a glob as ripgrep and gitignore read it: `*` and `?` stay within a name, `**` crosses folders, `[a-z]` and
 * `{a,b}` work, a backslash takes the next character as it is, and a pattern without a slash counts at any depth.
 * Matching takes no more than the product of both lengths: no pattern can make it hang. Throws `INVALID_INPUT`.
 */
export function compileGlob(pattern: string): PathMatch {
  const matches = expandBraces(pattern).map(compileOne);
  return (path) => matches.some((match) => match(path));
}

function compileOne(pattern: string): PathMatch {
  const segments = segmentsOf(pattern);
  const [first, name] = segments;
  if (segments.length === 2 && first === "**" && name !== undefined && name !== "**") {
    if (name.length === 1 && name[0] === "*") return () => true;
    return (path) => matchName(name, path.slice(path.lastIndexOf("/") + 1));
  }
  const start = literalStart(segments);
  return (path) => path.startsWith(start) && matchPath(segments, path.split("/"));
}

/** The folders that a path must begin with; most paths are told by them without being taken apart. */
function literalStart(segments: readonly Segment[]): string {
  const folders: string[] = [];
  for (const segment of segments.slice(0, -1)) {
    const name = segment === "**" ? undefined : literalName(segment);
    if (name === undefined) break;
    folders.push(`${name}/`);
  }
  return folders.join("");
}

function literalName(tokens: readonly Token[]): string | undefined {
  const letters = tokens.flatMap((token) => (typeof token === "object" && "one" in token ? token.one : []));
  return letters.length === tokens.length ? letters.join("") : undefined;
}

function segmentsOf(pattern: string): readonly Segment[] {
  const isAnywhere = !pattern.includes("/");
  const parts = pattern.replace(/^\//, "").split("/");
  const segments = parts.map((part) => (part === "**" ? part : tokensOf(part, pattern)));
  if (isAnywhere && segments[0] !== "**") segments.unshift("**");
  // At the end it stands for what is inside: at least one name.
  if (segments.at(-1) === "**") segments.push(["*"]);
  return segments;
}

function tokensOf(part: string, pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(part);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "\\") {
      at += 1;
      const next = characters[at];
      if (next === undefined) throw invalid(pattern, "ends with a backslash");
      tokens.push({ one: next });
    } else if (character === "[") {
      const end = endOfClass(characters, at);
      if (end < 0) throw invalid(pattern, "has a [ without a ]");
      tokens.push(classOf(characters.slice(at + 1, end), pattern));
      at = end;
    } else if (character === "*" || character === "?") {
      if (character === "?" || tokens.at(-1) !== "*") tokens.push(character);
    } else {
      tokens.push({ one: character });
    }
  }
  return tokens;
}

/** A bracket that comes first, or first after a negation, is a member and not the end. */
function endOfClass(characters: readonly string[], start: number): number {
  const first = characters[start + 1];
  const isNegated = first === "!" || first === "^";
  return characters.indexOf("]", start + (isNegated ? 3 : 2));
}

function classOf(members: readonly string[], pattern: string): CharacterClass {
  const isNegated = members[0] === "!" || members[0] === "^";
  const rest = isNegated ? members.slice(1) : members;
  const ranges: [number, number][] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const first = codeOf(rest[at]);
    const isRange = rest[at + 1] === "-" && at + 2 < rest.length;
    const last = isRange ? codeOf(rest[at + 2]) : first;
    if (last < first) throw invalid(pattern, "has a range that runs backwards");
    ranges.push([first, last]);
    if (isRange) at += 2;
  }
  return { isNegated, ranges };
}

function matchPath(segments: readonly Segment[], names: readonly string[]): boolean {
  let [segment, name, afterStars, resume] = [0, 0, -1, 0];
  while (name < names.length) {
    const wanted = segments[segment];
    if (wanted === "**") {
      [afterStars, resume] = [segment + 1, name];
      segment += 1;
    } else if (wanted !== undefined && matchName(wanted, names[name] ?? "")) {
      segment += 1;
      name += 1;
    } else {
      if (afterStars < 0) return false;
      resume += 1;
      [segment, name] = [afterStars, resume];
    }
  }
  return segment === segments.length;
}

function matchName(tokens: readonly Token[], name: string): boolean {
  let [token, at, afterStar, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = tokens[token];
    const length = wanted === undefined ? 0 : lengthMatched(wanted, name, at);
    if (wanted === "*") {
      [afterStar, resume] = [token + 1, at];
      token += 1;
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

/** How much of the name one token takes; 0 where it does not fit. */
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

function invalid(pattern: string, reason: string): ToolError {
  return new ToolError("INVALID_INPUT", `the pattern ${JSON.stringify(pattern)} ${reason}`, {
    hint: "put a backslash before a character that is meant as it is",
  });
}
