import { ToolError } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import type { ArtifactWriter } from "../../core/store/artifacts.ts";
import { maskValue, type MaskedJson } from "../../secrets/mask-json.ts";
import type { Masker } from "../../secrets/mask.ts";
import { setOwn } from "../../util/json/set-own.ts";
import { sanitize } from "../../util/text/sanitize.ts";
import { LARGE } from "./truncate.ts";

/** The most characters that an answer may have, as text or as JSON. */
const MOST = 256_000_000;
/** How long the event loop is held at once, unless a single step takes longer. */
const MAX_BUSY_MS = 10;
/** Longer than a private key, which must not be cut. */
const KEY = 16 * 1024;

/** Throws `INVALID_OUTPUT` if the text is longer than an answer may be. */
export function checkLength({ length }: string): void {
  if (length <= MOST) return;
  throw new ToolError("INVALID_OUTPUT", `the tool returned more than ${MOST / 1e6} million characters`, {
    hint: "return a page of it, or write it to a file and return the path",
  });
}

/** Returns a place to cut: after a line, if one ends there, and not inside a private key or anything else that is cleaned as a whole. */
export function borderAfter(text: string, place: number, masker: Masker | undefined): number {
  for (let at = place; at < text.length; at += KEY) {
    const before = text.slice(at - KEY, at);
    if (before.includes("PRIVATE KEY")) continue;
    // Only near the place: a text may be one line.
    const line = before.lastIndexOf("\n") + 1;
    const border = line > 0 ? at - KEY + line : at;
    if (!isSplit(text, border, masker)) return border;
  }
  return text.length;
}

/** Returns whether a secret, a terminal escape or a character lies across the border: each piece would be cleaned of its own part only. */
function isSplit(text: string, border: number, masker: Masker | undefined): boolean {
  const before = text.slice(border - KEY, border);
  const both = text.slice(border - KEY, border + KEY);
  const [cleanBefore, cleanBoth] = [sanitize(before), sanitize(both)];
  if (!cleanBoth.startsWith(cleanBefore)) return true;
  const splits = (whole: string, at: number): boolean =>
    masker?.find(whole)?.some(([start, end]) => start < at && end > at) === true;
  return splits(both, before.length) || (cleanBoth !== both && splits(cleanBoth, cleanBefore.length));
}

/** Masks a value and its JSON text like `maskJson`, with turns of the event loop in between; without a masker it returns both as they are. */
export async function maskLarge(
  value: Json,
  masker: Masker | undefined,
  known?: string,
): Promise<MaskedJson> {
  const text = known ?? (await textOfParts(value));
  checkLength(text);
  if (masker === undefined) return { data: value, text };
  await turn();
  const mayHaveKey = text.includes("PRIVATE");
  if (!mayHaveKey && !(await hasSecret(masker, text))) return { data: value, text };
  const mask = (part: Json): Json => maskValue(part, masker);
  // The lines of a key may be in an item each, which are masked together.
  const data = mayHaveKey ? mask(value) : await maskParts(value, mask);
  return { data, text: await textOfParts(data) };
}

/** Returns the JSON text of a value, whose lists, and those in its fields, are written in turns. */
async function textOfParts(value: Json): Promise<string> {
  await turn();
  if (Array.isArray(value)) return `[${await textOfItems(value)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const text = Array.isArray(field) ? `[${await textOfItems(field)}]` : JSON.stringify(field);
    fields.push(`${JSON.stringify(name)}:${text}`);
  }
  await turn();
  return `{${fields.join(",")}}`;
}

async function textOfItems(items: readonly Json[]): Promise<string> {
  const texts: string[] = [];
  await inParts(items, (part) => texts.push(JSON.stringify(part).slice(1, -1)));
  return texts.join(",");
}

/** Returns whether masking would change the text. */
async function hasSecret(masker: Masker, text: string): Promise<boolean> {
  const stream = masker.stream();
  let at = 0;
  const isSame = (piece: string): boolean => {
    const isHere = text.startsWith(piece, at);
    at += piece.length;
    return isHere;
  };
  for (let from = 0; from < text.length; from += LARGE) {
    if (!stream.push(text.slice(from, from + LARGE)).every(isSame)) return true;
    await turn();
  }
  return !stream.end().every(isSame);
}

const ITEMS = 500;

/** Masks the items of the lists of a value, and of those in its fields, in turns. */
async function maskParts(value: Json, mask: (part: Json) => Json): Promise<Json> {
  if (Array.isArray(value)) return maskItems(value, mask);
  if (!isObject(value)) return mask(value);
  const target: Record<string, Json> = {};
  for (const [name, field] of Object.entries(value)) {
    // A field is masked with its name, which may be masked itself.
    const [maskedName = name] = Object.keys(mask({ [name]: null }) as object);
    const maskField = (part: Json): Json => Object.values(mask({ [name]: part }) as object)[0] as Json;
    setOwn(target, maskedName, Array.isArray(field) ? await maskItems(field, maskField) : maskField(field));
  }
  return target;
}

async function maskItems(items: readonly Json[], mask: (part: Json) => Json): Promise<Json> {
  const masked: Json[] = [];
  await inParts(items, (part) => {
    for (const item of mask(part) as readonly Json[]) masked.push(item);
  });
  return masked;
}

/** Does work for some items after the others, with turns of the event loop in between. */
async function inParts(items: readonly Json[], work: (part: readonly Json[]) => unknown): Promise<void> {
  let pausedAt = performance.now();
  for (let from = 0; from < items.length; from += ITEMS) {
    work(items.slice(from, from + ITEMS));
    if (performance.now() - pausedAt < MAX_BUSY_MS) continue;
    await turn();
    pausedAt = performance.now();
  }
}

/** Writes a text to an artifact, with turns of the event loop in between. */
export async function writeLarge(writer: ArtifactWriter | undefined, text: string): Promise<void> {
  for (let from = 0; from < text.length; from += LARGE) {
    await writer?.write(text.slice(from, from + LARGE));
    await turn();
  }
}

/** Lets everything else that waits for the event loop run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
