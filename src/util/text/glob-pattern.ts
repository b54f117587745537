import { ToolError } from "../../core/errors.ts";
import { expandBraces } from "./expand-braces.ts";
import { ANY_NAME, compileName } from "./name-pattern.ts";
import { matchSegments, type Segment } from "./path-segments.ts";

/** Returns true if a path, with slashes and relative to the folder of the pattern, matches. */
export type PathMatch = (path: string) => boolean;

/**
 * Compiles a glob as ripgrep and gitignore read it: `*` and `?` stay within a name, `**` crosses folders, `[a-z]` and
 * `{a,b}` work, a backslash escapes the next character, and a pattern without a slash matches at any depth.
 * Matching takes no more than the product of both lengths: no pattern can make it hang. Throws `INVALID_INPUT`.
 */
export function compileGlob(pattern: string): PathMatch {
  const matches = compileAll(pattern);
  return (path) => matches.some((match) => match(path));
}

/** Returns a pattern relative to a canonical folder, also if it is written in full, with that folder in front. */
export function patternBelow(folder: string, pattern: string): string {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return pattern.startsWith(start) ? `/${pattern.slice(start.length)}` : pattern.replace(/^\.\//, "");
}

/** Returns a note for an answer without files if the pattern may have meant another folder. */
export function strayNote(folder: string, pattern: string | undefined): readonly string[] {
  if (pattern === undefined || !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(patternBelow(folder, pattern))) return [];
  return [`[a pattern counts from the folder that is searched, ${folder}: give another one as path]`];
}

function compileAll(pattern: string): readonly PathMatch[] {
  try {
    return expandBraces(pattern).map(compileOne);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const message = `${JSON.stringify(pattern)} is not a valid pattern: ${error.message}`;
    throw new ToolError(error.code, message, { hint: error.hint, cause: error });
  }
}

function compileOne(pattern: string): PathMatch {
  const segments = segmentsOf(pattern);
  const [first, name] = segments;
  if (segments.length === 2 && first === "**" && name !== undefined && name !== "**") {
    if (name === ANY_NAME) return () => true;
    return (path) => name.matches(path.slice(path.lastIndexOf("/") + 1));
  }
  const start = literalStart(segments);
  return (path) => path.startsWith(start) && matchSegments(segments, path.split("/"));
}

/** Returns the folders that a path must begin with; they decide most paths without splitting them. */
function literalStart(segments: readonly Segment[]): string {
  const folders: string[] = [];
  for (const segment of segments.slice(0, -1)) {
    if (segment === "**" || segment.literal === undefined) break;
    folders.push(`${segment.literal}/`);
  }
  return folders.join("");
}

function segmentsOf(pattern: string): readonly Segment[] {
  const isAnywhere = !pattern.includes("/");
  const parts = pattern.replace(/^\//, "").split("/");
  const segments = parts.map((part): Segment => (part === "**" ? part : compileName(part)));
  if (isAnywhere && segments[0] !== "**") segments.unshift("**");
  // At the end it matches what is inside: at least one name.
  if (segments.at(-1) === "**") segments.push(ANY_NAME);
  return segments;
}
