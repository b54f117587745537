/** A text and the cursor in it; `col` counts UTF-16 units. */
export interface Place {
  readonly lines: readonly string[];
  readonly line: number;
  readonly col: number;
}

/** Where a motion leads, and what an operator covers. */
export interface Motion {
  readonly to: Pick<Place, "line" | "col">;
  /** True: an operator covers whole lines. */
  readonly isLinewise?: true;
  /** True: an operator covers the character at the end too. */
  readonly isInclusive?: true;
}

/** A search for a character in the line: `f`, `F`, `t` or `T`. */
export interface Find {
  readonly key: string;
  readonly character: string;
}

/** Created on use: only the keys of vi need it. */
let graphemes: Intl.Segmenter | undefined;
/** A folded paste counts as one character. */
const PASTE = /\[paste #\d+[^\]]*\]/y;

/** Returns where each character of a line starts, and its end. */
function starts(line: string): readonly number[] {
  const indexes: number[] = [];
  for (let at = 0; at < line.length;) {
    indexes.push(at);
    PASTE.lastIndex = at;
    const paste = PASTE.exec(line);
    at += paste?.[0].length ?? lengthAt(line, at);
  }
  return [...indexes, line.length];
}

function lengthAt(line: string, at: number): number {
  graphemes ??= new Intl.Segmenter();
  const [first] = graphemes.segment(line.slice(at, at + 64));
  return first?.segment.length ?? 1;
}

/** Returns the start of the character `by` characters away, within the line. */
export function shifted(line: string, col: number, by: number): number {
  const all = starts(line);
  const index = all.findLastIndex((start) => start <= col);
  return all[Math.max(0, Math.min(all.length - 1, index + by))] ?? 0;
}

interface Counted {
  readonly place: Place;
  /** The line of the cursor. */
  readonly text: string;
  readonly count: number | undefined;
  readonly times: number;
}

const MOTIONS: Readonly<Record<string, (counted: Counted) => Motion | undefined>> = {
  h: ({ place, text, times }) => inLine(place, shifted(text, place.col, -times)),
  l: ({ place, text, times }) => inLine(place, shifted(text, place.col, times)),
  "0": ({ place }) => inLine(place, 0),
  "^": ({ place, text }) => inLine(place, text.length - text.trimStart().length),
  $: ({ place, text }) => inLine(place, text.length),
  j: ({ place, times }) =>
    place.line + times < place.lines.length ? toLine(place, place.line + times) : undefined,
  k: ({ place, times }) => (place.line - times >= 0 ? toLine(place, place.line - times) : undefined),
  gg: ({ place, count }) => toLine(place, (count ?? 1) - 1),
  G: ({ place, count }) => toLine(place, (count ?? place.lines.length) - 1),
  w: ({ place, times }) => ({ to: repeated(place, times, (from) => nextWord(from, false)) }),
  W: ({ place, times }) => ({ to: repeated(place, times, (from) => nextWord(from, true)) }),
  b: ({ place, times }) => ({ to: repeated(place, times, (from) => wordBefore(from, false)) }),
  B: ({ place, times }) => ({ to: repeated(place, times, (from) => wordBefore(from, true)) }),
  e: ({ place, times }) => toEnd(repeated(place, times, (from) => endOfWord(from, false))),
  E: ({ place, times }) => toEnd(repeated(place, times, (from) => endOfWord(from, true))),
  cw: ({ place, times }) => toEnd(changedWords(place, times, false)),
  cW: ({ place, times }) => toEnd(changedWords(place, times, true)),
};

/** Returns the end of the words that `cw` changes: the first ends in the word of the cursor, also on its last letter. */
function changedWords(place: Place, times: number, isBig: boolean): Pick<Place, "line" | "col"> {
  const kind = kindsIn(place.lines.join("\n"), isBig);
  const own = kind(offsetOf(place));
  const last = skipped(offsetOf(place), 1, (at) => kind(at + 1) === own);
  return repeated(placeAt(place.lines, last), times - 1, (from) => endOfWord(from, isBig));
}

/** Returns the motion of a key, `count` times; undefined if it is none, or leads nowhere. */
export function motionOf(place: Place, key: string, count: number | undefined): Motion | undefined {
  const motion = Object.hasOwn(MOTIONS, key) ? MOTIONS[key] : undefined;
  return motion?.({ place, text: place.lines[place.line] ?? "", count, times: count ?? 1 });
}

function inLine({ line }: Place, col: number): Motion {
  return { to: { line, col } };
}

function toLine({ lines, col }: Place, line: number): Motion {
  return { to: { line: Math.max(0, Math.min(lines.length - 1, line)), col }, isLinewise: true };
}

function toEnd(to: Motion["to"]): Motion {
  return { to, isInclusive: true };
}

/** Returns where a character is found in the line; undefined if it is not there so often. */
export function findCharacter(
  { lines, line, col }: Place,
  { key, character }: Find,
  count = 1,
): Motion | undefined {
  const text = lines[line] ?? "";
  const isBack = key === "F" || key === "T";
  let at = col;
  for (let left = count; left > 0; left -= 1) {
    if (isBack && at === 0) return undefined;
    at = isBack ? text.lastIndexOf(character, at - 1) : text.indexOf(character, at + 1);
    if (at < 0) return undefined;
  }
  if (isBack) return { to: { line, col: key === "T" ? at + character.length : at } };
  return { to: { line, col: key === "t" ? shifted(text, at, -1) : at }, isInclusive: true };
}

function repeated(place: Place, times: number, step: (from: Place) => Place): Pick<Place, "line" | "col"> {
  let at = place;
  for (let left = times; left > 0; left -= 1) at = step(at);
  return { line: at.line, col: at.col };
}

/** Letters and digits, other signs, or blanks; for `W`, `B` and `E` only blanks differ. */
function kindOf(character: string | undefined, isBig: boolean): "blank" | "word" | "sign" {
  if (character === undefined || /\s/.test(character)) return "blank";
  return isBig || /[\p{L}\p{N}_]/u.test(character) ? "word" : "sign";
}

/** Returns a function that says what is at an index of the whole text. */
function kindsIn(text: string, isBig: boolean): (at: number) => ReturnType<typeof kindOf> {
  return (at) => kindOf(text[at], isBig);
}

/** Returns the first index from `at` on, or before it, at which a condition no longer holds. */
function skipped(at: number, by: 1 | -1, holds: (index: number) => boolean): number {
  let index = at;
  while (holds(index)) index += by;
  return index;
}

/** Returns the start of the next word, also in later lines; an empty line is a word too. */
function nextWord(place: Place, isBig: boolean): Place {
  const text = place.lines.join("\n");
  const kind = kindsIn(text, isBig);
  const start = offsetOf(place);
  const own = kind(start);
  const end = own === "blank" ? start : skipped(start, 1, (at) => at < text.length && kind(at) === own);
  const isEmptyLine = (at: number): boolean => at > start && text[at] === "\n" && text[at - 1] === "\n";
  return placeAt(
    place.lines,
    skipped(end, 1, (at) => at < text.length && kind(at) === "blank" && !isEmptyLine(at)),
  );
}

/** Returns the start of the word, or of the one before. */
function wordBefore(place: Place, isBig: boolean): Place {
  const kind = kindsIn(place.lines.join("\n"), isBig);
  const last = skipped(offsetOf(place) - 1, -1, (at) => at > 0 && kind(at) === "blank");
  const start = skipped(last, -1, (at) => at > 0 && kind(at - 1) === kind(last));
  return placeAt(place.lines, Math.max(0, start));
}

/** Returns the last character of the word, or of the next. */
function endOfWord(place: Place, isBig: boolean): Place {
  const text = place.lines.join("\n");
  const kind = kindsIn(text, isBig);
  const first = skipped(offsetOf(place) + 1, 1, (at) => at < text.length && kind(at) === "blank");
  const last = skipped(first, 1, (at) => at + 1 < text.length && kind(at + 1) === kind(first));
  return placeAt(place.lines, Math.max(0, Math.min(last, text.length - 1)));
}

/** Returns the index of the cursor in the whole text. */
export function offsetOf({ lines, line, col }: Place): number {
  return lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, col);
}

/** Returns the place of an index in the whole text. */
export function placeAt(lines: readonly string[], offset: number): Place {
  let left = offset;
  for (const [line, { length }] of lines.entries()) {
    if (left <= length) return { lines, line, col: left };
    left -= length + 1;
  }
  const line = Math.max(0, lines.length - 1);
  return { lines, line, col: lines[line]?.length ?? 0 };
}
