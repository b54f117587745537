import { isObject, type Json } from "../../core/json.ts";

/** Control characters of C0 and C1 besides tab and line break, and characters that change the direction of text. */
const CONTROLS = /\r(?!\n)|[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Shows control and bidirectional characters by their numbers; everything else stays, also what is invisible. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** What is data for programs, not text for people or models. */
const DATA: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "_meta"]);

/** Matches JSON text that may contain such characters. */
const MAY_CONTAIN = /\\u00[01]|\\[bfr]|[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Does the same in every description and title of a definition, and in its own texts with further keys. Returns the value
 * itself if there is nothing to escape.
 */
export function escapeTexts<T extends Json>(value: T, further: readonly string[] = []): T {
  if (!MAY_CONTAIN.test(JSON.stringify(value))) return value;
  const data = new Set<Json>();
  const text = JSON.stringify(value, function (this: Json, key, part: Json) {
    // The replacer is called from the outside in, and needs less of the stack than a recursive function.
    if (data.has(this) || (DATA.has(key) && isObject(this))) {
      if (typeof part === "object") data.add(part);
      return part;
    }
    const isText = key === "description" || key === "title" || (this === value && further.includes(key));
    return isText && typeof part === "string" ? escapeControls(part) : part;
  });
  return JSON.parse(text) as T;
}
