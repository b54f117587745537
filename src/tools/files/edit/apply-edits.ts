import { ToolError } from "../../../core/errors.ts";
import { lineAt } from "../match/match-lines.ts";
import type { Tolerance } from "../match/match-old-string.ts";
import { matchOldString } from "../match/match-old-string.ts";
import { describeNear, nearBlocks } from "../match/near-lines.ts";

const MAX_PLACES = 10;
const BARE_NEWLINE = /(?<!\r)\n/;

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

// A type and not an interface, so that it counts as JSON.
export type Tolerated = {
  /** Which edit, from 1. */
  readonly edit: number;
  readonly line: number;
  readonly tolerance: Tolerance;
};

export interface Edited {
  readonly text: string;
  readonly replacements: number;
  /** The edits whose text was not in the file exactly, and what was overlooked. */
  readonly tolerated: readonly Tolerated[];
}

/**
 * Applies edits one after the other, each to what the former ones made, or none at all: throws where a text is not
 * found, or found more than once without `replace_all`. A text that is not there exactly may differ in line ends, in
 * blanks at the ends of lines or in indentation, if it then is in one place and what to write there is certain;
 * `replace_all` never overlooks anything. What is put in is taken as it is, `$` included.
 */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  // In a file whose lines all end with CRLF, LF in an edit stands for that.
  const isCrlf = text.includes("\r\n") && !BARE_NEWLINE.test(text);
  const plain = (part: string): string => (isCrlf ? part.replaceAll("\r\n", "\n") : part);
  const tolerated: Tolerated[] = [];
  let edited = plain(text);
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const label = edits.length > 1 ? `edit ${index + 1} of ${edits.length}: ` : "";
    const wanted = { ...edit, old_string: plain(edit.old_string), new_string: plain(edit.new_string), label };
    const applied = applyOne(edited, wanted);
    const isLineEnd = isCrlf && BARE_NEWLINE.test(edit.old_string);
    const tolerance = applied.tolerance ?? (isLineEnd ? "line-ends" : undefined);
    if (tolerance !== undefined) tolerated.push({ edit: index + 1, line: applied.line, tolerance });
    edited = applied.text;
    replacements += applied.count;
  }
  return { text: isCrlf ? edited.replaceAll("\n", "\r\n") : edited, replacements, tolerated };
}

interface Wanted extends Edit {
  readonly label: string;
}

interface Applied {
  readonly text: string;
  readonly count: number;
  readonly line: number;
  readonly tolerance?: Tolerance;
}

function applyOne(text: string, edit: Wanted): Applied {
  const places = placesOf(text, edit.old_string);
  const [first] = places;
  if (first === undefined) return edit.replace_all ? notFound(text, edit) : applyTolerant(text, edit);
  if (!edit.replace_all) refuseSecond(text, edit, places);
  return {
    text: text.split(edit.old_string).join(edit.new_string),
    count: places.length,
    line: lineAt(text, first),
  };
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

/** A second place counts also where it overlaps the first: either could be meant. */
function refuseSecond(text: string, edit: Wanted, places: readonly number[]): void {
  const overlapping = places.length > 1 ? -1 : text.indexOf(edit.old_string, (places[0] ?? 0) + 1);
  if (places.length > 1) throw ambiguous(text, edit, places);
  if (overlapping >= 0) throw ambiguous(text, edit, [...places, overlapping]);
}

function applyTolerant(text: string, edit: Wanted): Applied {
  const matches = matchOldString(text, edit.old_string, edit.new_string);
  const [place, second] = matches?.places ?? [];
  if (matches === undefined || place === undefined) return notFound(text, edit);
  const { tolerance } = matches;
  if (second !== undefined) {
    const places = matches.places.map(({ start }) => start);
    throw ambiguous(text, edit, places, ` but for ${NAMES[tolerance]}`);
  }
  const line = lineAt(text, place.start);
  if (place.replacement === undefined) throw uncertain(text.slice(place.start, place.end), edit, line);
  const changed = text.slice(0, place.start) + place.replacement + text.slice(place.end);
  if (changed === text) throw unchanged(edit, line, tolerance);
  return { text: changed, count: 1, line, tolerance };
}

const NAMES: Readonly<Record<Tolerance, string>> = {
  "line-ends": "line ends",
  "trailing-space": "blanks at the ends of lines",
  indentation: "indentation",
};

/** One sentence on what was overlooked; empty where nothing was. */
export function describeTolerated(tolerated: readonly Tolerated[]): string {
  if (tolerated.length === 0) return "";
  const parts = tolerated.map(({ line, tolerance }) => `line ${line} matched but for ${NAMES[tolerance]}`);
  return `${parts.join("; ")}; the new text was written as the file writes its own.`;
}

function notFound(text: string, { old_string, label }: Wanted): never {
  const candidates = nearBlocks(text, old_string);
  throw new ToolError("TOOL_FAILED", `${label}old_string is not in the file; nothing was changed`, {
    hint:
      candidates.length > 0
        ? `the nearest places are\n${describeNear(candidates)}`
        : "nothing in the file is like it; read the file again",
    details: { candidates },
  });
}

function ambiguous(text: string, edit: Wanted, places: readonly number[], but = ""): ToolError {
  const lines = places.slice(0, MAX_PLACES).map((at) => lineAt(text, at));
  const more = places.length > MAX_PLACES ? ", …" : "";
  const where = `${places.length} times${but}, at lines ${lines.join(", ")}${more}`;
  return new ToolError(
    "TOOL_FAILED",
    `${edit.label}old_string is in the file ${where}; nothing was changed`,
    {
      hint:
        but === ""
          ? "take in more of the text around the place that is meant, or set replace_all"
          : "copy the text exactly as it is in the file, and take in more of what is around it",
      details: { count: places.length, lines },
    },
  );
}

function uncertain(found: string, { label }: Wanted, line: number): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    `${label}old_string is at line ${line} with another indentation, and how to indent new_string is not certain; ` +
      "nothing was changed",
    { hint: `copy the indentation of the file:\n${found}`, details: { line } },
  );
}

function unchanged({ label }: Wanted, line: number, tolerance: Tolerance): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    `${label}old_string is at line ${line} but for ${NAMES[tolerance]}, and the edit would change nothing`,
    { hint: "read the file again: it may have been edited already", details: { line } },
  );
}
