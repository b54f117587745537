import { attempt } from "../../../util/async/attempt.ts";
import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import { joinLines, splitLines, usualEnd, type Line } from "../match/match-lines.ts";
import type { Tolerance } from "../match/match-old-string.ts";
import { shownForm } from "../match/shown-form.ts";
import { describeNear, nearBlocks } from "../match/near-lines.ts";
import { locateHunk, type Place, type Search } from "./locate.ts";
import { newLines, oldLines, type Hunk, type HunkLine } from "./model.ts";

const MAX_PLACES = 10;

/** A hunk that matched at another line or only with a tolerance. */
export interface HunkNote {
  readonly label: string;
  /** The line where it was applied, from 1. */
  readonly line: number;
  /** The distance to the line in the patch; negative: before. */
  readonly offset: number;
  readonly tolerance?: Tolerance;
}

export interface Patched {
  readonly text: string;
  readonly notes: readonly HunkNote[];
}

/**
 * Applies the hunks of one file to its text, all or none: throws, with the hunk and the most similar place, if one matches nowhere or
 * in more than one place. Unchanged lines keep their line ends, and a missing final newline stays unless the patch adds it.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], shown: string): Patched {
  try {
    return applyAll(contentLines(text, { loneCr: false }), hunks, { text, shown });
  } catch (error) {
    if (!(error instanceof ToolError) || !/\r(?!\n)/.test(text)) throw error;
    try {
      return applyAll(contentLines(text, { loneCr: true }), hunks, { text, shown });
    } catch {
      throw error;
    }
  }
}

/** Splits a text into lines; an empty text has none. */
function contentLines(text: string, { loneCr }: { readonly loneCr: boolean }): readonly Line[] {
  const lines = splitLines(text, { loneCr });
  return lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

interface Source {
  readonly text: string;
  readonly shown: string;
}

/** Hunks whose line numbers are not in order are sorted; the given order counts only if they do not fit then. */
function applyAll(lines: readonly Line[], hunks: readonly Hunk[], source: Source): Patched {
  const starts = hunks.map(({ oldStart }) => oldStart ?? Number.NaN);
  const sorted = hunks.toSorted((a, b) => (a.oldStart ?? 0) - (b.oldStart ?? 0));
  if (!starts.some((start, index) => start < (starts[index - 1] ?? 0)))
    return applyInOrder(lines, hunks, source);
  return attempt(() => applyInOrder(lines, sorted, source)) ?? applyInOrder(lines, hunks, source);
}

function applyInOrder(lines: readonly Line[], hunks: readonly Hunk[], source: Source): Patched {
  const parts: (readonly Line[])[] = [];
  const notes: HunkNote[] = [];
  let search: Search = { from: 0, drift: 0 };
  let hasFinalNewline = lines.at(-1)?.end !== "";
  for (const wanted of hunks) {
    const { hunk, place } = placeOf(lines, asInFile(wanted, source), search, source);
    const end = place.index + oldLines(hunk).length;
    parts.push(lines.slice(search.from, place.index), hunkResult(lines, hunk, place, source));
    if (end === lines.length) hasFinalNewline = finalNewline(hunk, lines);
    const offset = hunk.oldStart === undefined || lines.length === 0 ? 0 : place.index - (hunk.oldStart - 1);
    if (offset !== 0 || place.tolerance !== undefined) {
      const { index, tolerance } = place;
      notes.push({ label: hunk.label, line: index + 1, offset, ...defined({ tolerance }) });
    }
    search = { from: end, drift: offset };
  }
  parts.push(lines.slice(search.from));
  return { text: joinLines(ended(parts.flat(), usualEnd(lines), hasFinalNewline)), notes };
}

function asInFile(hunk: Hunk, { text }: Source): Hunk {
  const old = oldLines(hunk).map((line) => line.text);
  const form = shownForm(text, old.join("\n"));
  return { ...hunk, lines: hunk.lines.map((line) => ({ ...line, text: form(line.text) })) };
}

function placeOf(
  lines: readonly Line[],
  hunk: Hunk,
  search: Search,
  source: Source,
): { readonly hunk: Hunk; readonly place: Place } {
  const located = locateHunk(lines, hunk, search);
  if ("place" in located) return { hunk, place: located.place };
  if (located.candidates.length > 0) throw ambiguous(hunk, located.candidates, source);
  // An empty line before the next hunk may be a separator, not context.
  const last = hunk.lines.at(-1);
  if (last?.kind === "context" && last.text === "" && oldLines(hunk).length > 1)
    return placeOf(lines, { ...hunk, lines: hunk.lines.slice(0, -1) }, search, source);
  const earlier = search.from === 0 ? undefined : locateHunk(lines, hunk, { from: 0, drift: 0 });
  throw earlier !== undefined && "place" in earlier
    ? outOfOrder(hunk, earlier.place, source)
    : misfit(hunk, source);
}

/** Returns the lines that replace the hunk's old lines. */
function hunkResult(lines: readonly Line[], hunk: Hunk, place: Place, source: Source): readonly Line[] {
  const region = lines.slice(place.index, place.index + oldLines(hunk).length);
  const hasEnds = lines.some(({ end }) => end !== "");
  const usual = hasEnds && !saysEnds(hunk, region) ? usualEnd(lines) : undefined;
  const result: Line[] = [];
  let at = 0;
  for (const line of hunk.lines) {
    if (line.kind === "added") {
      const text = place.reindent(line.text);
      if (text === undefined) throw uncertainIndent(hunk, place, source);
      result.push({ text, end: usual ?? (line.hasCr ? "\r\n" : "\n") });
      continue;
    }
    const fileLine = region[at];
    if (line.kind === "context" && fileLine !== undefined) result.push(fileLine);
    at += 1;
  }
  return result;
}

/** True if the CRs of a patch are reliable: its old lines have them exactly where the file has. */
function saysEnds(hunk: Hunk, region: readonly Line[]): boolean {
  const pairs = oldLines(hunk).map(({ hasCr }, index) => ({ hasCr, end: region[index]?.end ?? "" }));
  const telling = pairs.filter(({ end }) => end !== "");
  return telling.length > 0 && telling.every(({ hasCr, end }) => end === (hasCr ? "\r\n" : "\n"));
}

/** Returns whether the file ends with a newline after a hunk at its end. */
function finalNewline(hunk: Hunk, lines: readonly Line[]): boolean {
  const before = lines.at(-1)?.end !== "";
  const isMissing = (hunkLines: readonly HunkLine[]): boolean => hunkLines.some(({ noNewline }) => noNewline);
  if (isMissing(newLines(hunk))) return false;
  // A patch that is wrong about the old file is not reliable about the new one.
  return lines.length === 0 || isMissing(oldLines(hunk)) === !before || before;
}

/** Adds missing line ends: to all lines but the last, and to the last one if there is a final newline. */
function ended(lines: readonly Line[], usual: Line["end"], hasFinalNewline: boolean): readonly Line[] {
  return lines.map(({ text, end }, index) => {
    if (index === lines.length - 1 && !hasFinalNewline) return { text, end: "" };
    return { text, end: end === "" ? usual : end };
  });
}

function misfit(hunk: Hunk, { text, shown }: Source): ToolError {
  const { label } = hunk;
  const old = oldLines(hunk).map((line) => line.text);
  if (old.length === 0) {
    const what = `${shown}: ${label} has no old lines, so its place is ambiguous; nothing was changed`;
    const hint = "give a few lines of context around the new ones";
    return new ToolError("TOOL_FAILED", what, { hint, details: { path: shown, hunk: label } });
  }
  const candidates = nearBlocks(text, old.join("\n"));
  return new ToolError("TOOL_FAILED", `${shown}: ${label} does not match anywhere; nothing was changed`, {
    hint:
      candidates.length > 0
        ? `the most similar places are\n${describeNear(candidates)}`
        : "no similar lines were found; read the file again",
    details: { path: shown, hunk: label, candidates },
  });
}

function outOfOrder({ label }: Hunk, { index }: Place, { shown }: Source): ToolError {
  const what = `${shown}: ${label} is out of order: it matches at line ${index + 1}, before the end of the hunk above it; nothing was changed`;
  const hint = "give the hunks in the order of the file";
  return new ToolError("TOOL_FAILED", what, { hint, details: { path: shown, hunk: label, line: index + 1 } });
}

function ambiguous(hunk: Hunk, candidates: readonly number[], { shown }: Source): ToolError {
  const lines = candidates.slice(0, MAX_PLACES).map((index) => index + 1);
  const more = candidates.length > MAX_PLACES ? ", …" : "";
  const message = `${shown}: ${hunk.label} matches in ${candidates.length} places, at lines ${lines.join(", ")}${more}; nothing was changed`;
  return new ToolError("TOOL_FAILED", message, {
    hint: "give more lines of context, or after @@ a line that precedes the place",
    details: { path: shown, hunk: hunk.label, count: candidates.length, lines },
  });
}

function uncertainIndent(hunk: Hunk, { index }: Place, { shown }: Source): ToolError {
  const message = `${shown}: ${hunk.label} matches at line ${index + 1} with a different indentation, and the indentation of its new lines is ambiguous; nothing was changed`;
  return new ToolError("TOOL_FAILED", message, {
    hint: "copy the indentation of the file",
    details: { path: shown, hunk: hunk.label, line: index + 1 },
  });
}
