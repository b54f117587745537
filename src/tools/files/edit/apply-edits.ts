import { ToolError } from "../../../core/errors.ts";
import { string } from "../../../schema/define/schema.ts";
import { shownForm } from "../match/shown-form.ts";
import { lineAt } from "../match/match-lines.ts";
import { allPlaces, matchOldString, TOLERANCES, type Tolerance } from "../match/match-old-string.ts";
import { describeNear, nearBlocks } from "../match/near-lines.ts";

const MAX_PLACES = 10;
const BARE_NEWLINE = /(?<!\r)\n/;

/** The parameter of both edit tools. */
export const oldString = string("The text to replace, exactly as it is in the file", { min: 1 });

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

// A type, not an interface, so that it is assignable to JSON.
export type Tolerated = {
  /** The number of the edit, from 1. */
  readonly edit: number;
  readonly line: number;
  readonly tolerance: Tolerance;
};

export interface Edited {
  readonly text: string;
  readonly replacements: number;
  /** The edits that matched only with a tolerance. */
  readonly tolerated: readonly Tolerated[];
}

/**
 * Applies edits one after the other, each to the result of the one before, or none at all: throws if a text is not found, or found
 * more than once without `replace_all`. A text without an exact match may differ in line ends, trailing blanks, indentation or runs of blanks, if
 * exactly one place matches and the replacement is certain; `replace_all` only matches exactly. The new text is literal, `$` included.
 */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  // If all lines of the file end with CRLF, LF in an edit means CRLF.
  const isCrlf = text.includes("\r\n") && !BARE_NEWLINE.test(text);
  const plain = (part: string): string => (isCrlf ? part.replaceAll("\r\n", "\n") : part);
  const tolerated: Tolerated[] = [];
  let edited = plain(text);
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const label = edits.length > 1 ? `edit ${index + 1} of ${edits.length}: ` : "";
    const form = shownForm(edited, edit.old_string);
    const wanted = {
      ...edit,
      old_string: plain(form(edit.old_string)),
      new_string: plain(form(edit.new_string)),
      label,
    };
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
  const { old_string: old, replace_all: isForAll } = edit;
  const first = text.indexOf(old);
  if (first < 0) return isForAll ? notFound(text, edit) : applyTolerant(text, edit);
  const places = isForAll ? [] : allPlaces(text, old);
  if (places.length > 1) throw ambiguous(text, edit, places);
  const parts = text.split(old);
  return { text: parts.join(edit.new_string), count: parts.length - 1, line: lineAt(text, first) };
}

function applyTolerant(text: string, edit: Wanted): Applied {
  const matches = matchOldString(text, edit.old_string, edit.new_string);
  if (matches === undefined) return notFound(text, edit);
  const { places, only: place, tolerance } = matches;
  if (place === undefined) throw ambiguous(text, edit, places, ` except for ${TOLERANCES[tolerance]}`);
  const line = lineAt(text, place.start);
  if (place.replacement === undefined) throw uncertain(text.slice(place.start, place.end), edit, line);
  const changed = text.slice(0, place.start) + place.replacement + text.slice(place.end);
  if (changed === text) throw unchanged(edit, line, tolerance);
  return { text: changed, count: 1, line, tolerance };
}

/** Describes the tolerances that were used; empty if there were none. */
export function describeTolerated(tolerated: readonly Tolerated[]): string {
  if (tolerated.length === 0) return "";
  const parts = tolerated.map(
    ({ line, tolerance }) => `line ${line} matched except for ${TOLERANCES[tolerance]}`,
  );
  return `${parts.join("; ")}; the new text was adapted to the file.`;
}

function notFound(text: string, { old_string, label }: Wanted): never {
  const candidates = nearBlocks(text, old_string);
  throw new ToolError("TOOL_FAILED", `${label}old_string was not found in the file; nothing was changed`, {
    hint:
      candidates.length > 0
        ? `the most similar places are\n${describeNear(candidates)}`
        : "no similar text was found; read the file again",
    details: { candidates },
  });
}

function ambiguous(text: string, edit: Wanted, places: readonly number[], but = ""): ToolError {
  const lines = places.slice(0, MAX_PLACES).map((at) => lineAt(text, at));
  const more = places.length > MAX_PLACES ? ", …" : "";
  const where = `${places.length} times${but}, at lines ${lines.join(", ")}${more}`;
  return new ToolError("TOOL_FAILED", `${edit.label}old_string was found ${where}; nothing was changed`, {
    hint:
      but === ""
        ? "include more of the surrounding text, or set replace_all"
        : "copy the text exactly as it is in the file, and include more of the surrounding text",
    details: { count: places.length, lines },
  });
}

function uncertain(found: string, { label }: Wanted, line: number): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    `${label}old_string is at line ${line} with a different indentation, and the indentation of new_string is ambiguous; ` +
      "nothing was changed",
    { hint: `copy the indentation of the file:\n${found}`, details: { line } },
  );
}

function unchanged({ label }: Wanted, line: number, tolerance: Tolerance): ToolError {
  const what = `old_string is at line ${line} except for ${TOLERANCES[tolerance]}, and the edit would change nothing`;
  const hint = "read the file again: it may have been edited already";
  return new ToolError("TOOL_FAILED", label + what, { hint, details: { line } });
}
