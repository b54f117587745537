import { defined } from "../../../util/json/defined.ts";
import { MAX_COMPARED_LINES, reindents, type Reindent } from "../match/match-indent.ts";
import {
  indicesOfLines,
  plainTypography,
  withoutTrailing,
  withSingleBlanks,
  type Line,
} from "../match/match-lines.ts";
import type { Tolerance } from "../match/match-old-string.ts";
import { oldLines, type Hunk } from "./model.ts";

/** The place of a hunk. */
export interface Place {
  /** The index of its first old line. */
  readonly index: number;
  readonly tolerance?: Tolerance;
  /** Converts the indentation of its new lines to the file's. */
  readonly reindent: Reindent;
}

export type Located =
  | { readonly place: Place }
  /** The indices of the possible lines; none if it matches nowhere. */
  | { readonly candidates: readonly number[] };

export interface Search {
  /** Lines before this index belong to earlier hunks. */
  readonly from: number;
  /** The distance of the hunk before from its line in the patch. */
  readonly drift: number;
}

/**
 * Finds the place of a hunk: at its line in the patch, else the only place where its lines match: exactly, then except for trailing
 * blanks, the indentation of the whole hunk, runs of blanks, typographic characters. The line after an anchor counts as its line in the
 * patch.
 */
export function locateHunk(lines: readonly Line[], hunk: Hunk, search: Search): Located {
  const old = oldLines(hunk).map(({ text }) => text);
  if (old.length === 0) return locateAddition(lines, hunk, search);
  // Without a line number only a place that is the only one in the file is certain, whatever the order of the hunks.
  const from = hunk.needsOldLines === true ? 0 : search.from;
  for (const level of LEVELS) {
    const fits = fitting(lines, old, from, level);
    if (fits.length === 0) continue;
    const chosen = choose(lines, hunk, search, fits);
    if (chosen.length === 1 && (chosen[0]?.index ?? 0) < search.from) return { candidates: [] };
    return chosen.length === 1 && chosen[0] !== undefined
      ? { place: chosen[0] }
      : { candidates: chosen.map(({ index }) => index) };
  }
  return { candidates: [] };
}

interface Level {
  readonly tolerance?: Tolerance;
  readonly trim: (line: string) => string;
}

const LEVELS: readonly Level[] = [
  { trim: (line) => line },
  { tolerance: "trailing-space", trim: withoutTrailing },
  { tolerance: "indentation", trim: (line) => line.trim() },
  { tolerance: "inner-space", trim: (line) => withSingleBlanks(line.trim()) },
  { tolerance: "typography", trim: (line) => plainTypography(line).trim() },
];

/** Returns all places where the lines match at a level. */
function fitting(
  lines: readonly Line[],
  old: readonly string[],
  from: number,
  { tolerance, trim }: Level,
): readonly Place[] {
  const later = lines.slice(from).map(({ text }) => text);
  const isIndented = tolerance === undefined || tolerance === "trailing-space";
  const places: Place[] = [];
  let compared = 0;
  for (const index of indicesOfLines(later.map(trim), old.map(trim))) {
    const [reindent, second] = isIndented ? [same] : waysAt(later, index, old, compared);
    compared += old.length;
    if (reindent === undefined || second !== undefined) continue;
    places.push({ index: from + index, reindent, ...defined({ tolerance }) });
  }
  return places;
}

function waysAt(
  lines: readonly string[],
  index: number,
  old: readonly string[],
  compared: number,
): readonly Reindent[] {
  const find = (): readonly Reindent[] =>
    reindents(lines.slice(index, index + old.length), old).find((group) => group.length > 0) ?? [];
  if (compared < MAX_COMPARED_LINES) return find();
  // Compared only if this place is chosen.
  let ways: readonly Reindent[] | undefined;
  return [
    (line) => {
      const [only, second] = (ways ??= find());
      return second === undefined ? only?.(line) : undefined;
    },
  ];
}

function same(line: string): string {
  return line;
}

function choose(
  lines: readonly Line[],
  hunk: Hunk,
  { from, drift }: Search,
  fits: readonly Place[],
): readonly Place[] {
  const length = oldLines(hunk).length;
  if (hunk.isAtEnd) return fits.filter(({ index }) => index + length === lines.length);
  if (hunk.anchors.length > 0) return firstsAfter(anchorPlaces(lines, hunk.anchors, from), fits);
  if (hunk.near !== undefined) return nearest(lines, hunk.near, length, fits);
  const expected = hunk.oldStart === undefined ? undefined : hunk.oldStart - 1 + drift;
  const there = fits.filter(({ index }) => index === expected);
  return there.length > 0 ? there : fits;
}

/** Returns the first place at or after each line with this text; all places if the file has no such line. */
function nearest(
  lines: readonly Line[],
  text: string,
  length: number,
  fits: readonly Place[],
): readonly Place[] {
  const places = anchorPlaces(lines, [text], 0);
  if (places.length === 0) return fits;
  return firstsAfter(
    places.map((at) => at - length + 1),
    fits,
  );
}

/** Returns the first place at or after each line, which are in ascending order. */
function firstsAfter(indices: readonly number[], fits: readonly Place[]): readonly Place[] {
  const firsts = new Set(indices.map(finder(fits.map(({ index }) => index))));
  return fits.filter(({ index }) => firsts.has(index));
}

/** Returns a function that finds the first of the indices at or after a line. The lines must be in ascending order. */
function finder(indices: readonly number[]): (at: number) => number | undefined {
  let next = 0;
  return (at) => {
    while ((indices[next] ?? at) < at) next += 1;
    return indices[next];
  };
}

/** Returns the indices of the last anchor, each anchor after the one before. */
function anchorPlaces(lines: readonly Line[], anchors: readonly string[], from: number): readonly number[] {
  const [first = "", ...rest] = anchors;
  const { exact, trimmed } = linesWith(lines, first, from);
  let places = exact.length > 0 ? exact : trimmed;
  for (const anchor of rest) {
    const anchored = linesWith(lines, anchor, from);
    const [nextExact, nextTrimmed] = [finder(anchored.exact), finder(anchored.trimmed)];
    places = [...new Set(places.flatMap((at) => nextExact(at + 1) ?? nextTrimmed(at + 1) ?? []))];
  }
  // The anchor itself may be the first of the old lines.
  return places;
}

function linesWith(lines: readonly Line[], anchor: string, from: number) {
  const indicesOf = (fits: (text: string) => boolean): readonly number[] =>
    lines.flatMap(({ text }, index) => (index >= from && fits(text) ? [index] : []));
  const wanted = anchor.trim();
  return {
    exact: indicesOf((text) => text === anchor),
    trimmed: indicesOf((text) => text.trim() === wanted),
  };
}

/** Without old lines only an anchor, the end of the file or an empty file determine the place. */
function locateAddition(lines: readonly Line[], hunk: Hunk, { from }: Search): Located {
  if (hunk.anchors.length > 0) {
    const places = anchorPlaces(lines, hunk.anchors, from);
    const [index] = places;
    if (index === undefined || places.length > 1) return { candidates: places };
    return { place: { index: index + 1, reindent: same } };
  }
  if (lines.length === 0 || (hunk.oldStart === undefined && hunk.needsOldLines !== true))
    return { place: { index: lines.length, reindent: same } };
  return { candidates: [] };
}
