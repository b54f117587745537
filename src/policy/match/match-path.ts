import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { ANY_NAME, literalName } from "../../util/text/name-pattern.ts";
import type { Segment } from "../../util/text/path-segments.ts";
import { matchSegments } from "../../util/text/path-segments.ts";
import { fold } from "../../util/text/fold.ts";
import { mayMatchBelow, parseGlob } from "./glob.ts";

/** A canonical path as rules look at it; what is costly is worked out when it is asked for, and once. */
export class PathView {
  readonly path: string;
  readonly access: PathFact["access"];
  readonly isSuspected: boolean;
  /** It is known to be a regular file: nothing lies below it. */
  readonly isFile: boolean;
  /** It is known to be there and to be no regular file, and would be written: removed, moved or replaced as a whole. */
  readonly isWrittenFolder: boolean;
  private knownNames: readonly string[] | undefined = undefined;
  private knownFolded: string | undefined = undefined;
  private knownFoldedNames: readonly string[] | undefined = undefined;

  constructor({ path, access, suspected, inode, size }: PathFact) {
    this.path = path;
    this.access = access;
    this.isSuspected = suspected === true;
    this.isFile = size !== undefined;
    this.isWrittenFolder = access === "write" && inode !== undefined && size === undefined;
  }

  get names(): readonly string[] {
    return (this.knownNames ??= namesOf(this.path));
  }

  get folded(): string {
    return (this.knownFolded ??= fold(this.path));
  }

  get foldedNames(): readonly string[] {
    return (this.knownFoldedNames ??= this.folded === this.path ? this.names : namesOf(this.folded));
  }
}

/** The path condition of a rule. */
export interface PathPattern {
  matches(view: PathView): boolean;
  /** True where something below the path could match. */
  mayMatchBelow(view: PathView): boolean;
}

/** Where patterns count from. */
export interface PathBases {
  readonly workspace: readonly string[];
  readonly home: string | undefined;
}

/**
 * The paths that an allow means: exactly those, letter by letter. `src/**` is what lies in the folder, not the folder.
 */
export function compileAllowedPaths(patterns: readonly string[], bases: PathBases): PathPattern {
  const globs = patterns.flatMap((pattern) => placed(pattern, bases)).map(toAllowed);
  return {
    matches(view) {
      for (const { start, isTree, segments } of globs) {
        if (!view.path.startsWith(start)) continue;
        if (isTree ? view.path.length > start.length : matchSegments(segments, view.names)) return true;
      }
      return false;
    },
    mayMatchBelow: ({ names }) => globs.some(({ segments }) => mayMatchBelow(segments, names)),
  };
}

interface AllowedGlob {
  readonly segments: readonly Segment[];
  /** What every match begins with, so that most paths are told without being taken apart. */
  readonly start: string;
  /** Everything that begins so is meant. */
  readonly isTree: boolean;
}

function toAllowed({ segments }: Glob): AllowedGlob {
  const first = segments.findIndex((segment) => segment === "**" || segment.literal === undefined);
  const folders = first < 0 ? segments.slice(0, -1) : segments.slice(0, first);
  const names = folders.map((segment) => (segment === "**" ? "" : `${segment.literal}/`));
  const start = `/${names.join("")}`;
  if (segments.at(-1) !== "**") return { segments, start, isTree: false };
  // At the end it stands for what is inside: at least one name.
  return { segments: [...segments, ANY_NAME], start, isTree: first === segments.length - 1 };
}

/**
 * The paths that a deny or an ask means: also in another case or Unicode form, and everything below them. A relative
 * pattern that begins with `**` counts everywhere, not in the workspace alone.
 */
export function compileRestrictedPaths(patterns: readonly string[], bases: PathBases): PathPattern {
  const everywhere = (pattern: string): string => (pattern.startsWith("**/") ? `/${pattern}` : pattern);
  const compile = (pattern: string): readonly Glob[] =>
    placed(everywhere(pattern), bases).map((glob) => ({ ...glob, segments: [...glob.segments, "**"] }));
  const globs = patterns.flatMap(compile);
  const folded = patterns.flatMap((pattern) => compile(fold(pattern)).map(foldBase));
  const pairs = folded.map((glob, index) => ({
    ...glob,
    asWritten: globs[index]?.segments ?? glob.segments,
  }));
  return {
    matches(view) {
      for (const { clue, segments, asWritten } of pairs) {
        // What matches as it is has the clue in it too, whatever its case.
        if (!view.folded.includes(clue)) continue;
        if (matchSegments(segments, view.foldedNames) || matchSegments(asWritten, view.names)) return true;
      }
      return false;
    },
    mayMatchBelow: ({ names, foldedNames }) =>
      globs.some(({ segments }) => mayMatchBelow(segments, names)) ||
      folded.some(({ segments }) => mayMatchBelow(segments, foldedNames)),
  };
}

interface Glob {
  readonly segments: readonly Segment[];
  /** A text that every match has in it, so that most paths are told without being taken apart. */
  readonly clue: string;
}

/** The folders that a pattern counts from are spelled as the disk spells them: they are folded after it was placed. */
function foldBase({ segments, clue }: Glob): Glob {
  const folded = segments.map((segment) =>
    segment === "**" || segment.literal === undefined ? segment : literalName(fold(segment.literal)),
  );
  return { segments: folded, clue: fold(clue) };
}

function placed(pattern: string, { workspace, home }: PathBases): readonly Glob[] {
  const [bases, rest] = basesOf(pattern, workspace, home);
  const globs = parseGlob(rest.endsWith("/") && rest !== "/" ? `${rest}**` : rest);
  return bases.flatMap((base) =>
    globs.map((own) => ({ segments: [...namesOf(base).map(literalName), ...own], clue: clueOf(own) })),
  );
}

/** Of the pattern's own names: the folders it counts from are in most paths. */
function clueOf(segments: readonly Segment[]): string {
  const clues = segments.map((segment) => (segment === "**" ? "" : segment.clue));
  return clues.reduce((best, clue) => (clue.length > best.length ? clue : best), "");
}

function basesOf(
  pattern: string,
  workspace: readonly string[],
  home: string | undefined,
): readonly [readonly string[], string] {
  if (pattern.startsWith("/")) return [["/"], pattern];
  if (pattern !== "~" && !pattern.startsWith("~/")) return [workspace, pattern];
  if (home !== undefined) return [[home], pattern.slice(1)];
  throw new ToolError("INVALID_INPUT", "it begins with ~, and no home is set");
}

/** Of a canonical path: it begins with a slash and has no empty names. */
function namesOf(path: string): readonly string[] {
  return path.length > 1 ? path.slice(1).split("/") : [];
}
