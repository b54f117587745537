import { lexer } from "marked";

/** A text that is still arriving, parted where nothing that follows can change what came before. */
export interface Arrived {
  /** Whole blocks, one text each. */
  readonly settled: readonly string[];
  /** The block that may still grow. */
  readonly rest: string;
}

/** Parts off the blocks that are whole. Settled and rest together are the text, but for blank lines between them. */
export function settle(text: string): Arrived {
  const source = text.replaceAll("\r\n", "\n");
  const tokens = lexer(source);
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const whole = tokens.slice(0, Math.max(0, last));
  const start = whole.map(({ raw }) => raw).join("");
  // The lexer tidies what it read: where that is not what was there, it is too early to part it.
  if (!source.startsWith(start)) return { settled: [], rest: source };
  const blocks = whole.filter(({ type }) => type !== "space").map(({ raw }) => raw.replace(/\n+$/, ""));
  const { settled, rest } = partLong(source.slice(start.length));
  return { settled: [...blocks, ...settled], rest };
}

/** A block that grows past this is read again and again for every piece that arrives: then what is certain of it is parted off. */
const LONG = 8000;

/** A list is parted before its last item, a code block after its last line. */
function partLong(rest: string): Arrived {
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

/** The whole line that opens a block of code. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/;

/** Marks that nobody can tell the meaning of before something follows them. */
const UNDECIDED_LINE = /(?:^|\n)[ \t]*(?:[-=*_+>#|:~`]+[-=*_+>#|:~` \t]*|\d{1,9}[.)]?)$/;

/** A link whose words or address are on their way; the box of a task is none. */
const UNDECIDED_LINK = /!?\[(?![ xX]?(?:\]|$))[^\]\n]*(?:\](?:\([^)\n]*)?)?$/;

/**
 * A block that may still grow as it would look if it ended well: marks whose meaning is open are left out, spans that are
 * open are closed. So it does not jump when the rest comes.
 */
export function mend(rest: string): string {
  if (isOpenFence(rest)) return rest;
  const told = rest.replace(UNDECIDED_LINE, "").replace(UNDECIDED_LINK, linkWords);
  const isTable = /^\s*\|?[^\n]*\|[^\n]*\n\s*\|?[\s:|-]*$/.test(told);
  const whole = isTable ? (told.split("\n")[0] ?? "") : told;
  return closeSpans(whole.replace(/[*_~`]+$/, (marks) => (isClosing(whole, marks) ? marks : "")));
}

function isOpenFence(rest: string): boolean {
  return /^ {0,3}(?:`{3,}|~{3,})/.test(rest);
}

/** A link whose address is on its way is its words. */
function linkWords(link: string): string {
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

/** The emphasis that was begun and not ended, outermost first. */
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
