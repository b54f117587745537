import { ToolError } from "../../core/errors.ts";
import { nearLines } from "./near-lines.ts";

const MAX_PLACES = 10;

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

/**
 * Applies edits one after the other, each to what the former ones made, or none at all: throws where a text is not
 * found, or found more than once without `replace_all`. What is put in is taken as it is, `$` included. In a file
 * whose lines all end with CRLF, LF in an edit stands for that.
 */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  const isCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const plain = (part: string): string => (isCrlf ? part.replaceAll("\r\n", "\n") : part);
  let edited = plain(text);
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const label = edits.length > 1 ? `edit ${index + 1} of ${edits.length}: ` : "";
    const old = plain(edit.old_string);
    const places = placesOf(edited, old);
    if (places.length === 0) throw notFound(edited, old, label);
    if (!edit.replace_all) refuseSecond(edited, old, places, label);
    edited = edited.split(old).join(plain(edit.new_string));
    replacements += places.length;
  }
  return { text: isCrlf ? edited.replaceAll("\n", "\r\n") : edited, replacements };
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function notFound(text: string, old: string, label: string): ToolError {
  const candidates = nearLines(text, old);
  const nearest = candidates.map(({ line, text }) => `line ${line}: ${text}`).join("\n");
  return new ToolError("TOOL_FAILED", `${label}old_string is not in the file; nothing was changed`, {
    hint:
      candidates.length > 0
        ? `it must match exactly, with all spaces; the nearest lines are\n${nearest}`
        : "it must match exactly, with all spaces; read the file again",
    details: { candidates },
  });
}

/** A second place counts also where it overlaps the first: either could be meant. */
function refuseSecond(text: string, old: string, places: readonly number[], label: string): void {
  const overlapping = places.length > 1 ? -1 : text.indexOf(old, (places[0] ?? 0) + 1);
  if (places.length > 1) throw ambiguous(text, places, label);
  if (overlapping >= 0) throw ambiguous(text, [...places, overlapping], label);
}

function ambiguous(text: string, places: readonly number[], label: string): ToolError {
  const lines = places.slice(0, MAX_PLACES).map((at) => lineAt(text, at));
  const more = places.length > MAX_PLACES ? ", …" : "";
  return new ToolError(
    "TOOL_FAILED",
    `${label}old_string is in the file ${places.length} times, at lines ${lines.join(", ")}${more}; nothing was changed`,
    {
      hint: "take in more of the text around the place that is meant, or set replace_all",
      details: { count: places.length, lines },
    },
  );
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
