import { diffArrays } from "diff";
import { MAX_COMPARED_LINES, reindents, type Reindent } from "./match-indent.ts";
import {
  indicesOfLines,
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
  /** Where the matches start. */
  readonly places: readonly number[];
  /** The match, if it is the only one. */
  readonly only: Match | undefined;
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
  if (byLineEnds.length > 0) return toMatches(edit, byLineEnds, "line-ends");
  if (givenLines.every(isBlank)) return undefined;
  const same = matchLines(edit, withoutTrailing, () => [[(line) => line]]);
  if (same.length > 0) return toMatches(edit, same, "trailing-space");
  const trimmed = matchLines(edit, (line) => line.trim(), reindents);
  if (trimmed.length > 0) return toMatches(edit, trimmed, "indentation");
  const spaced = matchLines(edit, (line) => withSingleBlanks(line.trim()), reindents);
  return spaced.length > 0 ? toMatches(edit, spaced, "inner-space") : undefined;
}

interface EditLines {
  readonly file: readonly Line[];
  readonly old: readonly string[];
  readonly new: readonly string[];
}

interface Place {
  readonly start: number;
  /** The index of its first line. */
  readonly index: number;
  readonly ways: readonly Reindent[];
}

/** Converts the new text only for the only place: of several, none is replaced. */
function toMatches(edit: EditLines, places: readonly Place[], tolerance: Tolerance): Matches {
  const [place] = places;
  const only = place !== undefined && places.length === 1 ? certain(edit, place, tolerance) : undefined;
  return { places: places.map(({ start }) => start), only, tolerance };
}

function plainLines(text: string): readonly string[] {
  return splitLines(text).map((line) => line.text);
}

/** Also finds a text that starts or ends within a line. */
function matchLineEnds(text: string, old: string, edit: EditLines): readonly Place[] {
  const flat = edit.file.map((line) => line.text).join("\n");
  const flatOld = edit.old.join("\n");
  // The exact text was searched before.
  if (flat === text && flatOld === old) return [];
  return toPlaces(edit.file, allPlaces(flat, flatOld));
}

/** Returns the places of a part one after the other, or its only place and one that overlaps it: either could be meant. */
export function allPlaces(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  const [first = 0] = places;
  const overlapping = places.length === 1 ? text.indexOf(part, first + 1) : -1;
  return overlapping < 0 ? places : [first, overlapping];
}

/** Converts positions in the text with LF line ends, in ascending order, to places in the original text. */
function toPlaces(file: readonly Line[], flatStarts: readonly number[]): readonly Place[] {
  let start = 0;
  let flatStart = 0;
  let index = 0;
  return flatStarts.map((at) => {
    for (
      let line = file[index];
      line !== undefined && at > flatStart + line.text.length;
      line = file[index]
    ) {
      flatStart += line.text.length + 1;
      start += line.text.length + line.end.length;
      index += 1;
    }
    return { start: start + at - flatStart, index, ways: [(line) => line] };
  });
}

type Ways = (fileLines: readonly string[], oldLines: readonly string[]) => readonly (readonly Reindent[])[];

/** Returns the places where whole lines are equal after `trim`, with the conversions of `ways`. */
function matchLines({ file, old }: EditLines, trim: (line: string) => string, ways: Ways): readonly Place[] {
  const wanted = old.at(-1) === "" ? old.slice(0, -1) : old;
  const lines = file.map(({ text }) => trim(text));
  const groupAt = (index: number): readonly Reindent[] | undefined => {
    const fileLines = file.slice(index, index + wanted.length).map(({ text }) => text);
    return ways(fileLines, wanted).find((group) => group.length > 0);
  };
  const places: Place[] = [];
  let start = 0;
  let at = 0;
  let compared = 0;
  for (const index of indicesOfLines(lines, wanted.map(trim))) {
    if (wanted !== old && file[index + wanted.length - 1]?.end === "") continue;
    const group = compared < MAX_COMPARED_LINES ? groupAt(index) : [];
    compared += wanted.length;
    if (group === undefined) continue;
    for (; at < index; at += 1) start += (file[at]?.text.length ?? 0) + (file[at]?.end.length ?? 0);
    places.push({ start, index, ways: group });
  }
  return places;
}

/** Returns the match at a place, with a replacement if all ways give the same one. */
function certain(edit: EditLines, { start, index, ways }: Place, tolerance: Tolerance): Match {
  const region = toRegion(edit, index, tolerance);
  const replacements = ways.map((way) => rebuilt(edit, region, way)).filter((text) => text !== undefined);
  const [replacement, ...others] = new Set(replacements);
  const end = start + joinLines(region).length;
  return { start, end, replacement: others.length === 0 ? replacement : undefined };
}

/** Returns the matched lines; the last one without its end, and empty if the edit ends with a line end. */
function toRegion({ file, old }: EditLines, index: number, tolerance: Tolerance): readonly Line[] {
  return old.map((text, offset) => {
    const line = file[index + offset];
    const isLast = offset === old.length - 1;
    const isWithinLine = tolerance === "line-ends" || (isLast && text === "");
    return { text: isWithinLine ? text : (line?.text ?? ""), end: isLast ? "" : (line?.end ?? "") };
  });
}

/** Returns the new text; undefined if a line of it cannot be indented like the file. */
function rebuilt(edit: EditLines, region: readonly Line[], reindent: Reindent): string | undefined {
  const usual = region.find((line) => line.end !== "")?.end ?? usualEnd(edit.file);
  const oldIndexes = keptLines(edit.old, edit.new);
  const lines: Line[] = [];
  for (const [index, text] of edit.new.entries()) {
    const isLast = index === edit.new.length - 1;
    const fileLine = region[oldIndexes[index] ?? -1];
    const lineText = fileLine?.text ?? reindent(text);
    if (lineText === undefined) return undefined;
    lines.push({ text: lineText, end: isLast ? "" : fileLine?.end || usual });
  }
  return joinLines(lines);
}

/** Lines that an edit may change before the others are no longer compared: the time grows with their square. */
const MAX_CHANGED_LINES = 1000;

/** Returns for each new line the index of the old line that it is; undefined for a line that the edit changes. */
function keptLines(old: readonly string[], replacement: readonly string[]): readonly (number | undefined)[] {
  const parts = diffArrays([...old], [...replacement], { maxEditLength: MAX_CHANGED_LINES }) ?? [];
  const oldIndexes: (number | undefined)[] = [];
  let at = 0;
  for (const { added, removed, count } of parts) {
    if (!removed)
      for (let index = 0; index < count; index += 1) oldIndexes.push(added ? undefined : at + index);
    if (!added) at += count;
  }
  return oldIndexes;
}
