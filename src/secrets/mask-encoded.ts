import type { Range } from "./find/ranges.ts";

/** A form in which a secret may appear, other than the secret itself. */
export interface Form {
  readonly text: string;
  /** The characters before and after it carry bits of the secret too, as in base64. */
  readonly before: 0 | 1;
  readonly after: 0 | 1;
}

/** Of a longer secret only the lines are searched for. */
const MAX_ENCODED = 16 * 1024;
const MIN_LINE = 8;
const MAX_LINES = 256;
/** The frame of a private key is no secret. */
const KEY_FRAME = /^-----(?:BEGIN|END) /;

/** The text is sampled at every fourth place; a form is found by the four characters there, at one of its first places. */
const GRAM = 4;
const OFFSETS = 2 * GRAM;
const HASHES = 1 << 16;

const NO_RANGES: readonly Range[] = [];

/** Finds forms of secrets. */
export type FormFinder = ReturnType<typeof createFormFinder>;

export function createFormFinder() {
  const seen = new Set<string>();
  const byGram = new Map<string, (readonly [form: Form, offset: number])[]>();
  /** Answers most samples without a look-up. Created with the first form: most engines have no secrets. */
  let hashes: Uint8Array | undefined;
  let longest = 0;
  return {
    /** Adds a form without white space; a short one is ignored. */
    add(form: Form): void {
      const { text } = form;
      if (text.length < 2 * GRAM - 1 || seen.has(text)) return;
      seen.add(text);
      longest = Math.max(longest, text.length);
      hashes ??= new Uint8Array(HASHES);
      for (let offset = 0; offset < OFFSETS && offset + GRAM <= text.length; offset += 1) {
        const gram = text.slice(offset, offset + GRAM);
        hashes[hashAt(text, offset)] = 1;
        if (!byGram.has(gram)) byGram.set(gram, []);
        byGram.get(gram)?.push([form, offset]);
      }
    },
    /** Returns the places of all forms in a text, in order, also if they are wrapped into lines. Takes time linear in the text. */
    find(text: string): readonly Range[] {
      if (hashes === undefined) return NO_RANGES;
      const ranges: Range[] = [];
      for (let at = nextSample(text, 0, hashes); at >= 0; at = nextSample(text, at, hashes)) {
        const range = longestAt(text, at, byGram.get(text.slice(at, at + GRAM)) ?? []);
        if (range !== undefined) ranges.push(range);
        at = range === undefined ? at + GRAM : Math.max(at + GRAM, range[1]);
      }
      return ranges;
    },
    /** The length of the longest form; 0 if there are none. */
    longest: (): number => longest,
  };
}

/** Returns the next sample that may be part of a form; −1 if there is none. */
function nextSample(text: string, from: number, hashes: Uint8Array): number {
  const last = text.length - GRAM;
  for (let at = from; at <= last; at += GRAM) if (hashes[hashAt(text, at)] === 1) return at;
  return -1;
}

function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 5417 + text.charCodeAt(at + 1) * 911;
  return (first + text.charCodeAt(at + 2) * 127 + text.charCodeAt(at + 3)) & (HASHES - 1);
}

/** Returns the encoded forms of a secret: base64, hexadecimal, URL-encoded and twice JSON-encoded; of one with several lines also each line. */
export function formsOf(secret: string): readonly Form[] {
  const lines = secret.includes("\n") ? linesOf(secret) : [];
  const whole = secret.length > MAX_ENCODED ? [] : [secret];
  const all = [...lines.map(plain), ...[...whole, ...lines].flatMap(encodingsOf)];
  return all.filter(({ text }) => text !== secret);
}

function linesOf(secret: string): readonly string[] {
  const lines = secret.split("\n").map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE && !KEY_FRAME.test(line)).slice(0, MAX_LINES);
}

function encodingsOf(text: string): readonly Form[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  const url = encodeURIComponent(text.toWellFormed());
  const inLowerCase = url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const urls = [url, inLowerCase, url.replaceAll("%20", "+"), inLowerCase.replaceAll("%20", "+")];
  const twice = inJson(inJson(text));
  return [
    ...[hex, hex.toUpperCase(), ...urls, twice].map(plain),
    ...[0, 1, 2].flatMap((shift) => base64Of(bytes, shift)),
  ];
}

function plain(text: string): Form {
  return { text, before: 0, after: 0 };
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the characters that depend on the secret alone if that many bytes, or 3 more each, are encoded before it. */
function base64Of(bytes: Buffer, shift: number): readonly Form[] {
  const bits = 8 * (shift + bytes.length);
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  const [start, end] = [Math.ceil((8 * shift) / 6), Math.floor(bits / 6)];
  const edges = { before: shift === 0 ? 0 : 1, after: bits % 6 === 0 ? 0 : 1 } as const;
  return (["base64", "base64url"] as const).map((alphabet) => ({
    text: shifted.toString(alphabet).slice(start, end),
    ...edges,
  }));
}

function longestAt(
  text: string,
  at: number,
  candidates: readonly (readonly [Form, number])[],
): Range | undefined {
  let best: Range | undefined;
  for (const [form, offset] of candidates) {
    const range = matchAround(text, at, form, offset);
    if (range !== undefined && (best === undefined || range[1] - range[0] > best[1] - best[0])) best = range;
  }
  return best;
}

/** Returns the place of a form whose character at an offset is at a place of the text. */
function matchAround(text: string, at: number, form: Form, offset: number): Range | undefined {
  let end = at;
  for (let index = offset; index < form.text.length; index += 1, end += 1) {
    if (text[end] !== form.text[index]) end = afterBreak(text, end);
    if (text[end] !== form.text[index]) return undefined;
  }
  let start = at;
  for (let index = offset - 1; index >= 0; index -= 1) {
    start -= 1;
    if (text[start] !== form.text[index]) start = beforeBreak(text, start);
    if (text[start] !== form.text[index]) return undefined;
  }
  const before = isBase64(text[start - 1]) ? form.before : 0;
  return [start - before, end + (isBase64(text[end]) ? form.after : 0)];
}

/** A line break, perhaps as JSON, and the indentation of the next line. */
const BREAK = /(?:\r|\n|\\r|\\n)+[ \t]{0,16}/y;
const BREAK_BEFORE = /(?:\r|\n|\\r|\\n)+[ \t]{0,16}$/;
const MAX_BREAK = 20;

function afterBreak(text: string, at: number): number {
  BREAK.lastIndex = at;
  return BREAK.test(text) ? BREAK.lastIndex : at;
}

function beforeBreak(text: string, at: number): number {
  const [lineBreak = ""] = BREAK_BEFORE.exec(text.slice(Math.max(0, at + 1 - MAX_BREAK), at + 1)) ?? [];
  return at - lineBreak.length;
}

function isBase64(character: string | undefined): boolean {
  return character !== undefined && /^[\w+/-]$/.test(character);
}
