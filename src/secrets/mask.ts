import { detach } from "../util/text/detach.ts";
import { createFormFinder, formsOf, type FormFinder } from "./mask-encoded.ts";
import { findForms, findNamed } from "./find/find-forms.ts";
import { openForm } from "./find/open-form.ts";
import { findUserPatterns } from "./find/user-patterns.ts";
import { maskRanges, type Range } from "./find/ranges.ts";

export { MASK } from "./find/ranges.ts";

const MIN_SECRET_LENGTH = 6;
/** How much of a stream is held back, so that a token split between two chunks is still found. */
const MAX_HELD = 512;
/** How much of a new chunk, and around a cut, is searched for a safe place to cut. */
const BRIDGE = 4096;

/** Masks a text that arrives in chunks; a secret split between two chunks is masked too. */
export interface MaskedStream {
  /** Returns the text that can be shown now, in order; the rest is held back until it cannot be the start of a secret. */
  push(text: string): readonly string[];
  /** Returns what is still held back, masked. */
  end(): readonly string[];
}

/** Masks the values of known secrets and anything that has the form of one. */
export interface Masker {
  /** `name` is that of the field, header or variable that has the text. */
  readonly text: (text: string, name?: string) => string;
  /** Returns the places that `text` masks, in order; undefined if there are none. */
  readonly find: (text: string, name?: string) => readonly Range[] | undefined;
  /** Returns a stream that masks text which arrives in pieces, also secrets that two pieces share. */
  readonly stream: () => MaskedStream;
  /** Adds a value to mask. Short values are ignored: they would mask ordinary words. */
  readonly learn: (secret: string) => void;
  /** Adds a pattern of the user, as `compileSecretPatterns` returns it: any other may take long on some text. */
  readonly learnPattern: (pattern: RegExp) => void;
}

/** `patterns` are those of the user, checked by `compileSecretPatterns`. */
export function createMasker(secrets: Iterable<string> = [], patterns: readonly RegExp[] = []): Masker {
  const known: Known = { texts: new Set<string>(), forms: createFormFinder(), patterns: [...patterns] };
  const learn = (secret: string): void => {
    if (secret.trim().length < MIN_SECRET_LENGTH) return;
    known.texts.add(secret);
    // Its form inside JSON text, if that differs.
    known.texts.add(JSON.stringify(secret).slice(1, -1));
    for (const form of formsOf(secret)) {
      if (/\s/.test(form.text)) known.texts.add(form.text);
      else known.forms.add(form);
    }
  };
  for (const secret of secrets) learn(secret);
  const find = (text: string, name?: string): readonly Range[] | undefined => findSecrets(text, known, name);
  const text = (value: string, name?: string): string => maskRanges(value, find(value, name));
  const learnPattern = (pattern: RegExp): void => void known.patterns.push(pattern);
  return { text, find, learn, learnPattern, stream: () => createStream(known) };
}

/** What is masked: texts as they are, and encoded forms, which have no white space. */
interface Known {
  readonly texts: Set<string>;
  readonly forms: FormFinder;
  readonly patterns: RegExp[];
}

function findSecrets(text: string, known: Known, name: string | undefined): readonly Range[] | undefined {
  if (text.length < MIN_SECRET_LENGTH) return undefined;
  const ranges: Range[] = [];
  for (const secret of known.texts) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      ranges.push([at, at + secret.length]);
  }
  if (known.forms.longest() > 0) ranges.push(...known.forms.find(text));
  findForms(text, ranges);
  if (known.patterns.length > 0) findUserPatterns(text, known.patterns, ranges);
  if (name !== undefined) findNamed(text, name, ranges);
  return ranges.length === 0 ? undefined : ranges.length === 1 ? ranges : merged(ranges);
}

/** Returns the ranges in order, with one for those that overlap. */
function merged(ranges: Range[]): readonly Range[] {
  const inOrder = ranges.sort(([a], [b]) => a - b);
  const apart: Range[] = [];
  let [start, end] = inOrder[0] ?? [0, 0];
  for (const [from, to] of inOrder) {
    if (from >= end && to > end) {
      if (end > start) apart.push([start, end]);
      [start, end] = [from, to];
    } else end = Math.max(end, to);
  }
  apart.push([start, end]);
  return apart;
}

function createStream(known: Known): MaskedStream {
  const mask = (text: string): readonly string[] =>
    text === "" ? [] : [maskRanges(text, findSecrets(text, known, undefined))];
  let held = "";
  return {
    push(text) {
      const { joined, rest } = join(held, text, known);
      const border = safeBorder(rest, known);
      held = detach(rest.slice(border));
      return [...mask(joined), ...mask(rest.slice(0, border))];
    },
    end() {
      const last = held;
      held = "";
      return mask(last);
    },
  };
}

/** Joins the text that was held back to as little of the new chunk as needed: joining all of it would copy every byte of a long output. */
function join(held: string, text: string, known: Known): { readonly joined: string; readonly rest: string } {
  if (held === "") return { joined: "", rest: text };
  const bridge = held + text.slice(0, BRIDGE);
  const border = safeBorder(bridge, known);
  if (border < held.length) return { joined: "", rest: held + text };
  return { joined: bridge.slice(0, border), rest: text.slice(border - held.length) };
}

/** The last character of text without white space that stands between a value and the next name. */
const AFTER_FIELD = /[,;&{}()<>|](?=[^,;&{}()<>|]*$)/;

/** Returns where the text can be cut without splitting a secret: after white space, unless a known secret may have started. */
function safeBorder(text: string, known: Known): number {
  const { texts, forms } = known;
  const held = text.slice(-Math.max(MAX_HELD, wrappedLength(forms.longest())));
  const space = Math.max(held.lastIndexOf("\n"), held.lastIndexOf(" "), held.lastIndexOf("\t"));
  const start = space < 0 ? held.search(AFTER_FIELD) : space;
  let border = text.length - held.length + afterWide(held, start + 1);
  border = openForm(text, border);
  for (const secret of texts) {
    border = Math.min(border, startOfPart(text, secret, border));
    const from = Math.max(0, border - secret.length);
    const across = text.slice(from, border + secret.length).indexOf(secret);
    if (across >= 0 && from + across + secret.length > border) border = Math.min(border, from + across);
  }
  return beforeToken(text, forms.longest() === 0 ? border : beforeForm(text, border, forms), known);
}

/** Returns the cut, or the start of the secret that it would split in text without white space, such as JSON, with its name. */
function beforeToken(text: string, border: number, known: Known): number {
  if (border === 0 || isSpace(text.charCodeAt(border - 1))) return border;
  const from = Math.max(0, border - BRIDGE);
  const secrets = findSecrets(text.slice(from, border + BRIDGE), known, undefined);
  const across = secrets?.find(([start, end]) => from + start < border && from + end > border);
  return across === undefined ? border : openForm(text, from + across[0]);
}

/** Returns the cut, or the start of the encoded form that it would split or that may continue on the next line. */
function beforeForm(text: string, border: number, forms: FormFinder): number {
  const most = wrappedLength(forms.longest());
  let start = border;
  while (border - start < most) {
    const length = wrappedLineBefore(text, start);
    if (length === 0) break;
    start -= length;
  }
  // A form has no white space.
  if (start === border && isSpace(text.charCodeAt(border - 1))) return border;
  const from = Math.max(0, start - most);
  const across = forms.find(text.slice(from, start + most)).find(([, end]) => from + end > start);
  return across === undefined ? start : Math.min(start, from + across[0]);
}

/** The end of a line of encoded data, which may go on in the next one, perhaps indented. */
const WRAPPED_LINE = /[ \t]*[\w+/-]{40,}\r?\n[ \t]{0,16}$/;
const MAX_LINE = 256;

function wrappedLineBefore(text: string, end: number): number {
  let at = end - 1;
  while (at > 0 && isSpace(text.charCodeAt(at))) at -= 1;
  // Most lines end otherwise.
  if (at === end - 1 || !/[\w+/-]/.test(text[at] ?? "")) return 0;
  return WRAPPED_LINE.exec(text.slice(Math.max(0, end - MAX_LINE), end))?.[0].length ?? 0;
}

function isSpace(code: number): boolean {
  return code === 32 || (code > 8 && code < 14);
}

/** Returns how long a form can be with line breaks. */
function wrappedLength(length: number): number {
  return Math.ceil(length * 1.5);
}

/** The first code unit of scripts that are written without spaces. */
const FIRST_WIDE = 0x2e_80;

/** Returns the place after the last character that no token can contain, so that text without spaces is not held back; a password in a URL may contain it. */
function afterWide(held: string, from: number): number {
  for (let at = held.length - 1; at >= from; at -= 1) {
    const code = held.charCodeAt(at);
    const isHalf = code >= 0xd8_00 && code <= 0xdb_ff;
    if (code >= FIRST_WIDE && !isHalf) return held.includes("://", from) ? from : at + 1;
  }
  return from;
}

/** Returns the earliest place before the cut from which the text may be the start of the secret. */
function startOfPart(text: string, secret: string, border: number): number {
  const first = secret.charAt(0);
  const earliest = Math.max(0, text.length - secret.length + 1);
  for (let at = text.indexOf(first, earliest); at >= 0 && at < border; at = text.indexOf(first, at + 1)) {
    if (secret.startsWith(text.slice(at))) return at;
  }
  return border;
}
