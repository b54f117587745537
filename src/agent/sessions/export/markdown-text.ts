const BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/;
/** Matches headings and their underlines, also inside a quote or a list, and HTML. */
const MARKUP = /^[\s>*+\-\d.)]*(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$)|<[a-z/!?]/im;

/** Returns external text as a block: quoted, or fenced if it contains markup. */
export function block(text: string): string {
  const lines = text.trimEnd().split(BREAK);
  if (lines.some((line) => MARKUP.test(line))) return fence(text, "text");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** Fences a text so that nothing in it can close the fence. */
export function fence(text: string, language: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(Math.max(3, longest + 1));
  return `${ticks}${language}\n${text.split(BREAK).join("\n").trimEnd()}\n${ticks}`;
}

/** Returns a short text as inline code. */
export function code(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim() || " ";
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  // Markdown removes one blank on each side; it separates backticks of the text from the delimiters.
  return longest === 0 ? `${ticks}${flat}${ticks}` : `${ticks} ${flat} ${ticks}`;
}

/** Returns a collapsed section. */
export function collapsed(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}
