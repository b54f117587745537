import { ANY_NAME, compileTokens, type CharacterClass, type Token } from "../../../util/text/name-pattern.ts";
import { matchSegments, type Segment } from "../../../util/text/path-segments.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";

/** The verdict of one .gitignore on a path in its folder: true ignored, false re-included, undefined no rule. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | undefined;

interface Rule {
  readonly match: PathMatch;
  readonly isIgnored: boolean;
  readonly isForFolders: boolean;
}

/** Parses a .gitignore file as git does; lines that git cannot match are left out. Matching takes at most the product of both lengths. */
export function parseGitignore(text: string): IgnoreRules {
  const lines = toBytes(text.replace(/^\uFEFF/, "")).split("\n");
  const rules = lines.flatMap((line) => parseRule(line.replace(/\r$/, ""))).toReversed();
  return (path, isFolder) => {
    const bytes = toBytes(path);
    return rules.find((rule) => (isFolder || !rule.isForFolders) && rule.match(bytes))?.isIgnored;
  };
}

/** To git, a character is a byte: `?` does not match an umlaut. */
function toBytes(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString("latin1") : text;
}

/** A line without trailing spaces, unless they are escaped. */
const CONTENT = /^(?:\\.?|[^\\ ]| +(?! |$))*/;

function parseRule(line: string): readonly Rule[] {
  const text = CONTENT.exec(line)?.[0] ?? "";
  if (text === "" || text.startsWith("#")) return [];
  const isIgnored = !text.startsWith("!");
  const pattern = isIgnored ? text : text.slice(1);
  const isForFolders = pattern.endsWith("/");
  const match = compilePattern(isForFolders ? pattern.slice(0, -1) : pattern);
  return match === undefined ? [] : [{ match, isIgnored, isForFolders }];
}

/** Returns undefined if nothing can match. */
function compilePattern(pattern: string): PathMatch | undefined {
  if (!pattern.includes("/")) {
    const segments = readSegments(pattern);
    return segments && ((path) => matchSegments(segments, [path.slice(path.lastIndexOf("/") + 1)]));
  }
  // The plain start is compared first, and `**` after it counts as at the start of a name: `/a**/b` ignores `ab`.
  const start = /^\/?([^*?[\\]*)/.exec(pattern)?.[1] ?? "";
  const rest = pattern.replace(/^\//, "").slice(start.length);
  if (rest === "") return (path) => path === start;
  const segments = readSegments(rest);
  return (
    segments &&
    ((path) => path.startsWith(start) && matchSegments(segments, path.slice(start.length).split("/")))
  );
}

function readSegments(pattern: string): readonly Segment[] | undefined {
  let tokens: Token[] = [];
  const all = [tokens];
  for (let at = 0; at < pattern.length; at += 1) {
    const isEscaped = pattern[at] === "\\";
    if (isEscaped) at += 1;
    const one = pattern[at];
    if (one === undefined) return undefined;
    if (one === "/") {
      // Only before a slash that is not escaped, `**` also matches no folder.
      if (isEscaped && isAnyDepth(tokens)) all.push(["*"]);
      all.push((tokens = []));
    } else if (!isEscaped && one === "[") {
      const characterClass = readClass(pattern, at + 1);
      if (characterClass === undefined) return undefined;
      tokens.push(characterClass.token);
      at = characterClass.end;
    } else tokens.push(!isEscaped && (one === "*" || one === "?") ? one : { one });
  }
  const segments = all.map((given): Segment => (isAnyDepth(given) ? "**" : compileTokens(given)));
  // At the end it matches what is inside: at least one name.
  return segments.at(-1) === "**" ? [...segments, ANY_NAME] : segments;
}

function isAnyDepth(tokens: readonly Token[]): boolean {
  return tokens.length > 1 && tokens.every((token) => token === "*");
}

/** The first and last character of each range. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "09AZaz"],
  ["alpha", "AZaz"],
  ["blank", "\t\t  "],
  ["cntrl", "\0\x1f\x7f\x7f"],
  ["digit", "09"],
  ["graph", "!~"],
  ["lower", "az"],
  ["print", " ~"],
  ["punct", "!/:@[`{~"],
  ["space", "\t\r  "],
  ["upper", "AZ"],
  ["xdigit", "09AFaf"],
]);

/** A named class, or a character that may begin a range. */
const MEMBER = /\[:([^\]]*):\]|\\?([^])(?:-(?!\])\\?([^]))?/y;

/** Reads a class such as `[!a-z[:digit:]\]]` from after its bracket; undefined if it has no end. */
function readClass(
  pattern: string,
  start: number,
): { readonly token: CharacterClass; readonly end: number } | undefined {
  const isNegated = pattern[start] === "!" || pattern[start] === "^";
  const first = isNegated ? start + 1 : start;
  const ranges: [number, number][] = [];
  let end = first;
  // A bracket that comes first is a member.
  while (end === first || pattern[end] !== "]") {
    MEMBER.lastIndex = end;
    const [all, name, from = "", to = from] = MEMBER.exec(pattern) ?? [];
    // The first character of a range is a member even if the range is reversed, and so empty.
    const bounds = name === undefined ? from + from + from + to : CLASSES.get(name);
    if (all === undefined || bounds === undefined) return undefined;
    for (let at = 0; at < bounds.length; at += 2)
      ranges.push([bounds.charCodeAt(at), bounds.charCodeAt(at + 1)]);
    end += all.length;
  }
  return { token: { isNegated, ranges }, end };
}
