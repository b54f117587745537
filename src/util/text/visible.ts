import { isObject, type Json } from "../../core/json.ts";

/** Control, format and separator characters that a terminal would act on or not show. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** Escapes every character of a JSON text that could hide or fake something; the JSON value is the same. */
export function visibleJson(json: string): string {
  return json.replaceAll(HIDDEN, (character) => character.replace(/[\s\S]/g, toJsonEscape));
}

/** Returns one unit of a string as an escape of JSON text. */
export function toJsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Shows every character that could hide or fake something by its number; line breaks stay. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) =>
    character === "\n" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

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

/** Like `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, " ").trim());
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text that stands for itself in HTML, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character);
}
