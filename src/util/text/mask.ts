import { detach } from "./detach.ts";
import { createFormFinder, formsOf, type FormFinder } from "./mask-encoded.ts";

/** Replaces a secret. Unusual on purpose: an input that contains it was copied from a masked answer. */
export const MASK = "⟦masked⟧";

const MIN_SECRET_LENGTH = 6;
/** Every token has one of these, which are found natively, and a run of at least this many letters, digits, dots, dashes and underscores. */
const TOKEN_PARTS = ["-", "_", "KIA", "SIA", "Iza", "yJ"];
const MIN_TOKEN_RUN = 14;
/** How much of a stream is held back, so that a token split between two chunks is still found. */
const MAX_HELD = 512;
/** How much of a new chunk is searched for a safe place to cut after the text that was held back. */
const BRIDGE = 4096;
/** How much of a private key that has not ended yet is held back. */
const MAX_KEY = 8192;

/** Token formats that are always secret. */
const TOKENS = new RegExp(
  [
    "\\b(?:sk|pk|rk)-(?:ant-|proj-|live-|or-v1-)?[A-Za-z0-9_-]{16,}",
    "\\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",
    "\\bgh[pousr]_[A-Za-z0-9]{20,}",
    "\\bgithub_pat_[A-Za-z0-9_]{20,}",
    "\\bglpat-[A-Za-z0-9_-]{16,}",
    "\\bxox[abprs]-[A-Za-z0-9-]{10,}",
    "\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b",
    "\\bAIza[A-Za-z0-9_-]{30,}",
    "\\bnpm_[A-Za-z0-9]{30,}",
    "\\bhf_[A-Za-z0-9]{20,}",
    "\\beyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}",
  ].join("|"),
  "g",
);
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const URL_PASSWORD = /(?<=:\/\/[^/\s:@]{1,64}:)[^/\s:@]{3,}(?=@)/g;

/** Masks a text that arrives in chunks; a secret split between two chunks is masked too. */
export interface MaskedStream {
  /** Returns the text that can be shown now, in order; the rest is held back until it cannot be the start of a secret. */
  push(text: string): readonly string[];
  end(): readonly string[];
}

/** Masks the values of known secrets and anything that looks like a token. */
export interface Masker {
  readonly text: (text: string) => string;
  readonly stream: () => MaskedStream;
  /** Adds a value to mask. Short values are ignored: they would mask ordinary words. */
  readonly learn: (secret: string) => void;
}

export function createMasker(secrets: Iterable<string> = []): Masker {
  const known: Known = { texts: new Set<string>(), forms: createFormFinder() };
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
  const text = (value: string): string => maskText(value, known);
  return { text, learn, stream: () => createStream(known) };
}

/** What is masked: texts as they are, and encoded forms, which have no white space. */
interface Known {
  readonly texts: Set<string>;
  readonly forms: FormFinder;
}

function maskText(text: string, known: Known): string {
  if (text.length < MIN_SECRET_LENGTH) return text;
  return maskTokens(maskForms(maskKnown(text, known), known));
}

function maskKnown(text: string, { texts }: Known): string {
  let masked = text;
  for (const secret of texts) {
    if (masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
  }
  return masked;
}

function maskForms(text: string, { forms }: Known): string {
  const ranges = forms.find(text);
  if (ranges.length === 0) return text;
  let masked = "";
  let done = 0;
  for (const [start, end] of ranges) {
    masked += text.slice(done, Math.max(done, start)) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}

function maskTokens(text: string): string {
  const mayHaveToken = hasLongRun(text) && TOKEN_PARTS.some((part) => text.includes(part));
  let masked = mayHaveToken ? text.replace(TOKENS, MASK) : text;
  // Short needles: a search for one of eight characters or more sets up a table first.
  if (masked.includes("-----")) masked = masked.replace(PRIVATE_KEY, MASK);
  if (masked.includes("//") && masked.includes("@")) masked = masked.replace(URL_PASSWORD, MASK);
  return masked;
}

/** Checks every fourteenth character and walks back from there: a fast answer for most texts, which have no token. */
function hasLongRun(text: string): boolean {
  let end = MIN_TOKEN_RUN - 1;
  while (end < text.length) {
    let at = end;
    while (at > end - MIN_TOKEN_RUN && isInToken(text.charCodeAt(at))) at -= 1;
    if (at === end - MIN_TOKEN_RUN) return true;
    end = at + MIN_TOKEN_RUN;
  }
  return false;
}

function isInToken(code: number): boolean {
  const isLetter = (code > 96 && code < 123) || (code > 64 && code < 91);
  return isLetter || (code > 47 && code < 58) || code === 45 || code === 46 || code === 95;
}

function createStream(known: Known): MaskedStream {
  const mask = (text: string): readonly string[] => (text === "" ? [] : [maskText(text, known)]);
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

/** Returns where the text can be cut without splitting a secret: after white space, unless a known secret may have started. */
function safeBorder(text: string, { texts, forms }: Known): number {
  const held = text.slice(-Math.max(MAX_HELD, wrappedLength(forms.longest())));
  const space = Math.max(held.lastIndexOf("\n"), held.lastIndexOf(" "), held.lastIndexOf("\t"));
  let border = text.length - held.length + afterWide(held, space + 1);
  const key = text.lastIndexOf("-----BEGIN ");
  const keyIsOpen = key >= 0 && text.length - key < MAX_KEY && !text.includes("-----END ", key);
  if (keyIsOpen) border = Math.min(border, key);
  for (const secret of texts) {
    border = Math.min(border, startOfPart(text, secret, border));
    const from = Math.max(0, border - secret.length);
    const across = text.slice(from, border + secret.length).indexOf(secret);
    if (across >= 0 && from + across + secret.length > border) border = Math.min(border, from + across);
  }
  return forms.longest() === 0 ? border : beforeForm(text, border, forms);
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
