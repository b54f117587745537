/** Marks that some readers of lines take for the end of one, and JSON text may hold as they are. */
const BREAKS = /[\u0085\u2028\u2029]/g;

/** A value as one line of JSON text, whoever reads it: other marks than the last that end a line somewhere are escaped. */
export function toJsonLine(value: object): string {
  const text = JSON.stringify(value);
  // Most texts cannot hold the last two at all, and say so at once.
  const isOne = !text.includes("\u2028") && !text.includes("\u2029") && !text.includes("\u0085");
  return isOne ? `${text}\n` : `${text.replaceAll(BREAKS, escape)}\n`;
}

function escape(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
