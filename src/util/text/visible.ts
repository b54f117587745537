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
