import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { ANY_NAME, literalName } from "../../util/text/name-pattern.ts";
import { matchSegments, type Segment } from "../../util/text/path-segments.ts";
import { fold } from "../../util/text/fold.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { isSystemPath } from "../../util/text/paths/system-path.ts";
import { mayMatchBelow, parseGlob } from "./glob.ts";

const NONE: readonly never[] = Object.freeze([]);

/** A canonical path, prepared for matching. Costly properties are computed on first access and cached. */
export class PathView {
  readonly path: string;
  readonly access: PathFact["access"];
  readonly isSuspected: boolean;
  /** Something was there when it was resolved. */
  readonly exists: boolean;
  /** It is known to be a regular file, so nothing is below it. */
  readonly isFile: boolean;
  /** It exists, is not a regular file, and would be removed, moved or replaced as a whole. */
  readonly isWrittenFolder: boolean;
  /** It is read, and a file or folder of the operating system that every user of the machine may read. */
  readonly isSystem: boolean;
  /** The other paths by which it was named, as a link or through one: deny and ask rules and the protection apply to them too. */
  readonly others: readonly PathView[];
  private cachedNames: readonly string[] | undefined = undefined;
  private cachedFolded: string | undefined = undefined;
  private cachedFoldedNames: readonly string[] | undefined = undefined;
  private comparedWith: readonly string[] | undefined = undefined;
  private cachedIsInside = false;

  constructor({ path, access, suspected, inode, size, isSystem, names: others = NONE }: PathFact) {
    this.path = path;
    this.access = access;
    this.isSuspected = suspected === true;
    this.exists = inode !== undefined;
    this.isFile = size !== undefined;
    this.isSystem = isSystem === true && access === "read" && isSystemPath(path);
    this.isWrittenFolder = access === "write" && inode !== undefined && size === undefined;
    this.others =
      others.length === 0 ? NONE : others.map((other) => new PathView({ kind: "path", path: other, access }));
  }

  /** Returns true if it is one of the canonical folders, or below one. */
  isInside(folders: readonly string[]): boolean {
    if (this.comparedWith !== folders) {
      this.comparedWith = folders;
      this.cachedIsInside = folders.some((folder) => isWithin(this.path, folder));
    }
    return this.cachedIsInside;
  }

  /** Returns the path, or another one by which it was named, for which the condition holds. */
  findName(holds: (view: PathView) => boolean): PathView | undefined {
    return holds(this) ? this : this.others.find(holds);
  }

  get names(): readonly string[] {
    return (this.cachedNames ??= namesOf(this.path));
  }

  get folded(): string {
    return (this.cachedFolded ??= fold(this.path));
  }

  get foldedNames(): readonly string[] {
    return (this.cachedFoldedNames ??= this.folded === this.path ? this.names : namesOf(this.folded));
  }
}

/** The path condition of a rule. */
export interface PathPattern {
  /** The folder that `~` stands for. */
  readonly home?: string | undefined;
  matches(view: PathView): boolean;
  /** Returns true if something below the path could match. */
  mayMatchBelow(view: PathView): boolean;
}

/** The folders that patterns are relative to. */
export interface PathBases {
  readonly workspace: readonly string[];
  readonly home: string | undefined;
}

/** Compiles the paths of an allow rule: they match case-sensitively, and `src/**` does not match the folder itself. */
export function compileAllowedPaths(patterns: readonly string[], bases: PathBases): PathPattern {
  const globs = patterns.flatMap((pattern) => resolveGlobs(pattern, bases)).map(toAllowed);
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
  /** The prefix of every match; it rejects most paths without splitting them. */
  readonly start: string;
  /** Every path with this prefix matches. */
  readonly isTree: boolean;
}

function toAllowed({ segments }: Glob): AllowedGlob {
  const first = segments.findIndex((segment) => segment === "**" || segment.literal === undefined);
  const folders = first < 0 ? segments.slice(0, -1) : segments.slice(0, first);
  const names = folders.map((segment) => (segment === "**" ? "" : `${segment.literal}/`));
  const start = `/${names.join("")}`;
  if (segments.at(-1) !== "**") return { segments, start, isTree: false };
  // A trailing `**` matches the contents: at least one name.
  return { segments: [...segments, ANY_NAME], start, isTree: first === segments.length - 1 };
}

/**
 * Compiles the paths of a deny or an ask rule: they match in any case and Unicode form, together with everything below
 * them. A relative pattern that begins with `**` matches everywhere, not only in the workspace.
 */
export function compileRestrictedPaths(patterns: readonly string[], bases: PathBases): PathPattern {
  const everywhere = (pattern: string): string => (pattern.startsWith("**/") ? `/${pattern}` : pattern);
  const compile = (pattern: string): readonly Glob[] =>
    resolveGlobs(everywhere(pattern), bases).map((glob) => ({ ...glob, segments: [...glob.segments, "**"] }));
  const globs = patterns.flatMap(compile);
  const folded = patterns.flatMap((pattern) => compile(fold(pattern)).map(foldBase));
  const pairs = folded.map((glob, index) => ({
    ...glob,
    asWritten: globs[index]?.segments ?? glob.segments,
  }));
  const matchesOne = (view: PathView): boolean => {
    for (const { clue, segments, asWritten } of pairs) {
      // A path that matches as written contains the clue as well, in some case.
      if (!view.folded.includes(clue)) continue;
      if (matchSegments(segments, view.foldedNames) || matchSegments(asWritten, view.names)) return true;
    }
    return false;
  };
  return {
    home: bases.home,
    matches: (view) => view.findName(matchesOne) !== undefined,
    mayMatchBelow: ({ names, foldedNames }) =>
      globs.some(({ segments }) => mayMatchBelow(segments, names)) ||
      folded.some(({ segments }) => mayMatchBelow(segments, foldedNames)),
  };
}

interface Glob {
  readonly segments: readonly Segment[];
  /** A substring of every match; it rejects most paths without splitting them. */
  readonly clue: string;
}

/** Folds the base folders, which are spelled as on the disk. */
function foldBase({ segments, clue }: Glob): Glob {
  const folded = segments.map((segment) =>
    segment === "**" || segment.literal === undefined ? segment : literalName(fold(segment.literal)),
  );
  return { segments: folded, clue: fold(clue) };
}

function resolveGlobs(pattern: string, { workspace, home }: PathBases): readonly Glob[] {
  const [bases, rest] = basesOf(pattern, workspace, home);
  const globs = parseGlob(rest.endsWith("/") && rest !== "/" ? `${rest}**` : rest);
  return bases.flatMap((base) =>
    globs.map((own) => ({ segments: [...namesOf(base).map(literalName), ...own], clue: clueOf(own) })),
  );
}

/** Uses the pattern's own names only: its base folders are part of most paths. */
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
  throw new ToolError("INVALID_INPUT", "it begins with ~, but no home folder is set");
}

/** Splits a canonical path, which begins with a slash and has no empty names. */
function namesOf(path: string): readonly string[] {
  return path.length > 1 ? path.slice(1).split("/") : [];
}
