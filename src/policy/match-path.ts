import { ToolError } from "../core/errors.ts";
import type { PathFact } from "../core/fact.ts";
import { fold } from "./fold.ts";
import type { Segment } from "./glob.ts";
import { matchSegments, mayMatchBelow, parseGlob } from "./glob.ts";
import { literalName } from "./match-name.ts";

/** A canonical path as rules look at it; what is costly is worked out when it is asked for, and once. */
export class PathView {
  readonly path: string;
  readonly access: PathFact["access"];
  readonly isSuspected: boolean;
  /** It is known to be there, and to be no regular file: for a write, a folder. */
  readonly isFolder: boolean;
  #names: readonly string[] | undefined;
  #folded: string | undefined;
  #foldedNames: readonly string[] | undefined;

  constructor({ path, access, suspected, inode, size }: PathFact) {
    this.path = path;
    this.access = access;
    this.isSuspected = suspected === true;
    this.isFolder = access === "write" && inode !== undefined && size === undefined;
  }

  get names(): readonly string[] {
    return (this.#names ??= namesOf(this.path));
  }

  get folded(): string {
    return (this.#folded ??= fold(this.path));
  }

  get foldedNames(): readonly string[] {
    return (this.#foldedNames ??= this.folded === this.path ? this.names : namesOf(this.folded));
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
  const globs = patterns.flatMap((pattern) => placed(pattern, bases).map(inside)).map(withClue);
  return {
    matches: ({ path, names }) =>
      globs.some(({ clue, segments }) => path.includes(clue) && matchSegments(segments, names)),
    mayMatchBelow: ({ names }) => globs.some(({ segments }) => mayMatchBelow(segments, names)),
  };
}

/**
 * The paths that a deny or an ask means: also in another case or Unicode form, and everything below them. A relative
 * pattern that begins with `**` counts everywhere, not in the workspace alone.
 */
export function compileRestrictedPaths(patterns: readonly string[], bases: PathBases): PathPattern {
  const everywhere = (pattern: string): string => (pattern.startsWith("**/") ? `/${pattern}` : pattern);
  const compile = (pattern: string): readonly Glob[] =>
    placed(everywhere(pattern), bases)
      .map((segments): readonly Segment[] => [...segments, "**"])
      .map(withClue);
  const globs = patterns.flatMap(compile);
  const folded = patterns.flatMap((pattern) => compile(fold(pattern)).map(foldBase));
  return {
    // What matches as it is has the clue in it, whatever its case: the folded path tells both apart from most others.
    matches: (view) =>
      folded.some(
        ({ clue, segments }, index) =>
          view.folded.includes(clue) &&
          (matchSegments(segments, view.foldedNames) ||
            matchSegments(globs[index]?.segments ?? [], view.names)),
      ),
    mayMatchBelow: ({ names, foldedNames }) =>
      globs.some(({ segments }) => mayMatchBelow(segments, names)) ||
      folded.some(({ segments }) => mayMatchBelow(segments, foldedNames)),
  };
}

interface Glob {
  readonly segments: readonly Segment[];
  /** A name that every match has in it, so that most paths are told without being taken apart. */
  readonly clue: string;
}

function withClue(segments: readonly Segment[]): Glob {
  const literals = segments.flatMap((segment) => (segment === "**" ? [] : (segment.literal ?? [])));
  return { segments, clue: literals.reduce((best, one) => (one.length > best.length ? one : best), "") };
}

/** The folders that a pattern counts from are spelled as the disk spells them: they are folded after it was placed. */
function foldBase({ segments, clue }: Glob): Glob {
  const folded = segments.map((segment) =>
    segment === "**" || segment.literal === undefined ? segment : literalName(fold(segment.literal)),
  );
  return { segments: folded, clue: fold(clue) };
}

function placed(pattern: string, { workspace, home }: PathBases): readonly (readonly Segment[])[] {
  const [bases, rest] = basesOf(pattern, workspace, home);
  const globs = parseGlob(rest.endsWith("/") && rest !== "/" ? `${rest}**` : rest);
  return bases.flatMap((base) => globs.map((glob) => [...namesOf(base).map(literalName), ...glob]));
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

/** At the end `**` stands for what is inside: at least one name. */
function inside(segments: readonly Segment[]): readonly Segment[] {
  return segments.at(-1) === "**" ? [...segments, { literal: undefined, matches: () => true }] : segments;
}

function namesOf(path: string): readonly string[] {
  return path.split("/").filter((name) => name !== "");
}
