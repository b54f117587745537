const BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/;
/** Where a line is a heading, or the line under one, also inside a quote or a list; or where it is HTML. */
const MARKUP = /^[\s>*+\-\d.)]*(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$)|<[a-z/!?]/im;

/** A stranger's text as a block: quoted, or fenced where it has markup that a reader could take for ours. */
export function block(text: string): string {
  const lines = text.trimEnd().split(BREAK);
  if (lines.some((line) => MARKUP.test(line))) return fence(text, "text");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** Text between fences that nothing in it can close. */
export function fence(text: string, language: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(Math.max(3, longest + 1));
  return `${ticks}${language}\n${text.split(BREAK).join("\n").trimEnd()}\n${ticks}`;
}

/** A short text within a line, as code. */
export function code(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim() || " ";
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  // A blank on both sides is not shown, and keeps ticks of the text apart from ours.
  return longest === 0 ? `${ticks}${flat}${ticks}` : `${ticks} ${flat} ${ticks}`;
}

/** What can be opened, and is closed at first. */
export function collapsed(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}
