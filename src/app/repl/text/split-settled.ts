import { lexer } from "marked";

/** A streamed text, split where later text cannot change the earlier. */
export interface StreamedText {
  /** Complete blocks. */
  readonly settled: readonly string[];
  /** The block that may still grow. */
  readonly rest: string;
}

/** Splits off the complete blocks. `settled` and `rest` together are the text, except for blank lines between them. */
export function splitSettled(text: string): StreamedText {
  const source = text.replaceAll("\r\n", "\n");
  const tokens = lexer(source);
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const whole = tokens.slice(0, Math.max(0, last));
  const start = whole.map(({ raw }) => raw).join("");
  // The lexer normalises its input: if the result differs, it is too early to split.
  if (!source.startsWith(start)) return { settled: [], rest: source };
  const blocks = whole.filter(({ type }) => type !== "space").map(({ raw }) => raw.replace(/\n+$/, ""));
  const { settled, rest } = splitLong(source.slice(start.length));
  return { settled: [...blocks, ...settled], rest };
}

/** A growing block is parsed again for every piece of text: above this length its certain part is split off. */
const LONG = 8000;

/** Splits a list before its last item, a code block after its last line. */
function splitLong(rest: string): StreamedText {
  if (rest.length < LONG) return { settled: [], rest };
  const fence = FENCE.exec(rest);
  const end = rest.lastIndexOf("\n");
  if (fence !== null) {
    const [opening, marks = ""] = fence;
    return { settled: [`${rest.slice(0, end)}\n${marks}`], rest: `${opening}${rest.slice(end + 1)}` };
  }
  const item = rest.match(/\n(?=(?:[-*+]|\d{1,9}[.)])\s)(?![^]*\n(?:[-*+]|\d{1,9}[.)])\s)/)?.index;
  return item === undefined
    ? { settled: [], rest }
    : { settled: [rest.slice(0, item)], rest: rest.slice(item + 1) };
}

/** The line that opens a code block. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/;
