import { diffArrays } from "diff";
import { reindents, type Reindent } from "./match-indent.ts";
import {
  isBlank,
  joinLines,
  splitLines,
  usualEnd,
  withoutTrailing,
  withSingleBlanks,
  type Line,
} from "./match-lines.ts";

/** The difference that was tolerated to find a text. */
export type Tolerance = "line-ends" | "trailing-space" | "indentation" | "inner-space" | "typography";

/** The differences in words. */
export const TOLERANCES: Readonly<Record<Tolerance, string>> = {
  "line-ends": "line ends",
  "trailing-space": "trailing blanks",
  indentation: "indentation",
  "inner-space": "runs of blanks",
  typography: "typographic dashes, quotes or spaces",
};

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The new text, adapted to the file; undefined if that is ambiguous. */
  readonly replacement: string | undefined;
}

export interface Matches {
  readonly places: readonly Match[];
  readonly tolerance: Tolerance;
}

/**
 * Finds a text without an exact match: first tolerates line ends, then trailing blanks, indentation, runs of blanks. All steps but the first
 * compare whole lines, and the first step with a match ends the search. Lines that the edit does not change stay as they are.
 */
export function matchOldString(text: string, old: string, replacement: string): Matches | undefined {
  const givenLines = plainLines(old);
  const edit = { file: splitLines(text), old: givenLines, new: plainLines(replacement) };
  const byLineEnds = matchLineEnds(text, old, edit);
  if (byLineEnds.length > 0) return { places: byLineEnds, tolerance: "line-ends" };
  if (givenLines.every(isBlank)) return undefined;
  const same = matchLines(edit, withoutTrailing, () => [[(line) => line]]);
  if (same.length > 0) return { places: same, tolerance: "trailing-space" };
  const trimmed = matchLines(edit, (line) => line.trim(), reindents);
  if (trimmed.length > 0) return { places: trimmed, tolerance: "indentation" };
  const spaced = matchLines(edit, (line) => withSingleBlanks(line.trim()), reindents);
  return spaced.length > 0 ? { places: spaced, tolerance: "inner-space" } : undefined;
}

interface EditLines {
  readonly file: readonly Line[];
  readonly old: readonly string[];
  readonly new: readonly string[];
}

function plainLines(text: string): readonly string[] {
  return splitLines(text).map((line) => line.text);
}

/** Also finds a text that starts or ends within a line. */
function matchLineEnds(text: string, old: string, edit: EditLines): readonly Match[] {
  const flat = edit.file.map((line) => line.text).join("\n");
  const flatOld = edit.old.join("\n");
  // The exact text was searched before.
  if (flat === text && flatOld === old) return [];
  return allPlaces(flat, flatOld).map((start) => flatMatch(edit, start));
}

/** Returns the places of a part one after the other, or its only place and one that overlaps it: either could be meant. */
export function allPlaces(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  const [first = 0] = places;
  const overlapping = places.length === 1 ? text.indexOf(part, first + 1) : -1;
  return overlapping < 0 ? places : [first, overlapping];
}

/** Converts a match in the text with LF line ends to a match in the original text. */
function flatMatch(edit: EditLines, flatStart: number): Match {
  let start = 0;
  let index = 0;
  let rest = flatStart;
  for (const line of edit.file) {
    if (rest <= line.text.length) break;
    rest -= line.text.length + 1;
    start += line.text.length + line.end.length;
    index += 1;
  }
  start += rest;
  const region = edit.old.map((text, offset): Line => {
    const isLast = offset === edit.old.length - 1;
    return { text, end: isLast ? "" : (edit.file[index + offset]?.end ?? "") };
  });
  return rebuilt(edit, region, start, (line) => line);
}

type Ways = (fileLines: readonly string[], oldLines: readonly string[]) => readonly (readonly Reindent[])[];

/** Returns the places where whole lines are equal after `trim`, with the conversions of `ways`. */
function matchLines(edit: EditLines, trim: (line: string) => string, ways: Ways): readonly Match[] {
  const endsWithNewline = edit.old.at(-1) === "";
  const wanted = (endsWithNewline ? edit.old.slice(0, -1) : edit.old).map(trim);
  const places: Match[] = [];
  let start = 0;
  for (const [index, line] of edit.file.entries()) {
    const found = trim(line.text) === wanted[0] ? edit.file.slice(index, index + wanted.length) : [];
    if (isEqual(found, wanted, trim) && !(endsWithNewline && found.at(-1)?.end === "")) {
      const fileLines = found.map(({ text }) => text);
      const group = ways(fileLines, edit.old.slice(0, wanted.length)).find((group) => group.length > 0);
      if (group !== undefined) places.push(certain(edit, toRegion(found, endsWithNewline), start, group));
    }
    start += line.text.length + line.end.length;
  }
  return places;
}

function isEqual(found: readonly Line[], wanted: readonly string[], trim: (line: string) => string): boolean {
  return found.length === wanted.length && found.every(({ text }, index) => trim(text) === wanted[index]);
}

/** Returns the matched lines; the last one without its end, unless the edit includes it. */
function toRegion(found: readonly Line[], withLastEnd: boolean): readonly Line[] {
  if (withLastEnd) return [...found, { text: "", end: "" }];
  return found.map((line, index) => (index === found.length - 1 ? { text: line.text, end: "" } : line));
}

/** Returns the match, with a replacement if all ways give the same one. */
function certain(edit: EditLines, region: readonly Line[], start: number, ways: readonly Reindent[]): Match {
  const matches = ways.map((way) => rebuilt(edit, region, start, way));
  const [first] = matches;
  const results = new Set(matches.map(({ replacement }) => replacement).filter((text) => text !== undefined));
  const end = start + joinLines(region).length;
  if (first === undefined || results.size !== 1) return { start, end, replacement: undefined };
  return { start, end, replacement: [...results][0] };
}

function rebuilt(edit: EditLines, region: readonly Line[], start: number, reindent: Reindent): Match {
  const end = start + joinLines(region).length;
  const usual = region.find((line) => line.end !== "")?.end ?? usualEnd(edit.file);
  const kept = keptLines(edit.old, edit.new);
  const lines: Line[] = [];
  for (const [index, text] of edit.new.entries()) {
    const isLast = index === edit.new.length - 1;
    const found = region[kept[index] ?? -1];
    const written = found?.text ?? reindent(text);
    if (written === undefined) return { start, end, replacement: undefined };
    lines.push({ text: written, end: isLast ? "" : found?.end || usual });
  }
  return { start, end, replacement: joinLines(lines) };
}

/** Lines that an edit may change before the others are no longer compared: the time grows with their square. */
const MAX_CHANGED_LINES = 1000;

/** Returns for each new line the index of the old line that it is; undefined for a line that the edit changes. */
function keptLines(old: readonly string[], replacement: readonly string[]): readonly (number | undefined)[] {
  const parts = diffArrays([...old], [...replacement], { maxEditLength: MAX_CHANGED_LINES }) ?? [];
  const kept: (number | undefined)[] = [];
  let at = 0;
  for (const { added, removed, count } of parts) {
    if (!removed) for (let index = 0; index < count; index += 1) kept.push(added ? undefined : at + index);
    if (!added) at += count;
  }
  return kept;
}
