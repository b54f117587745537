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

/** Marks whose meaning depends on the text that follows. */
const UNDECIDED_LINE = /(?:^|\n)[ \t]*(?:[-=*_+>#|:~`]+[-=*_+>#|:~` \t]*|\d{1,9}[.)]?)$/;

/** An incomplete link; the box of a task is none. */
const UNDECIDED_LINK = /!?\[(?![ xX]?(?:\]|$))[^\]\n]*(?:\](?:\([^)\n]*)?)?$/;

/** Returns an incomplete block as it will look: undecided marks are left out and open spans are closed, so that it does not jump later. */
export function closeMarks(rest: string): string {
  if (isOpenFence(rest)) return rest;
  const decided = rest.replace(UNDECIDED_LINE, "").replace(UNDECIDED_LINK, linkText);
  const isTable = /^\s*\|?[^\n]*\|[^\n]*\n\s*\|?[\s:|-]*$/.test(decided);
  const whole = isTable ? (decided.split("\n")[0] ?? "") : decided;
  return closeSpans(whole.replace(/[*_~`]+$/, (marks) => (isClosing(whole, marks) ? marks : "")));
}

function isOpenFence(rest: string): boolean {
  return /^ {0,3}(?:`{3,}|~{3,})/.test(rest);
}

/** An incomplete link is shown as its text. */
function linkText(link: string): string {
  return link.replace(/^!?\[/, "").replace(/\](?:\([^)]*)?$/, "");
}

function isClosing(text: string, marks: string): boolean {
  const before = text.slice(text.lastIndexOf("\n\n") + 1, text.length - marks.length);
  return marks.startsWith("`")
    ? (before.match(/`/g)?.length ?? 0) % 2 === 1
    : openMarks(before).includes(marks);
}

function closeSpans(text: string): string {
  if ((text.match(/`/g)?.length ?? 0) % 2 === 1) return `${text}\``;
  const open = openMarks(text);
  const trimmed = text.trimEnd();
  return open.length === 0 ? text : trimmed + open.toReversed().join("");
}

/** Returns the open emphasis marks, outermost first. */
function openMarks(text: string): readonly string[] {
  const open: string[] = [];
  const withoutCode = text.replaceAll(/`[^`]*`?/g, (code) => "x".repeat(code.length));
  for (const found of withoutCode.matchAll(
    /(?<![\\\w*])(\*{1,3}|~~|_{1,2})(?=[^\s*])|(?<=[^\s*\\])(\*{1,3}|~~|_{1,2})(?![\w*])/g,
  )) {
    const [, begins, ends] = found;
    if (ends !== undefined && open.at(-1) === ends) open.pop();
    else if (begins !== undefined) open.push(begins);
  }
  return open;
}
