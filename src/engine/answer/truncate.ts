import type { Cut } from "../../core/cuts.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { setOwn } from "../../util/json/set-own.ts";
import { headOf, tailOf } from "../../util/text/text-ends.ts";

/** The characters from which on an answer is formatted in several turns of the event loop. */
export const LARGE = 1024 * 1024;

/** Returns whether the text is within the limit; counts its bytes only if needed. */
export function fits(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text) <= bytes);
}

/** Returns smaller JSON: leaves out what does not fit into the limit, lists and objects from their end. */
export function shrinkJson(
  value: Json,
  bytes: number,
  { keepTail = false }: { readonly keepTail?: boolean } = {},
): Json {
  return shrink(value, { left: bytes, keepTail });
}

/** Returns the same JSON with every list cut. */
export function shortenLists(value: Json, cut: Cut): Json {
  if (Array.isArray(value)) return value.length > cut.over ? value.slice(0, cut.keep) : value;
  if (typeof value !== "object" || value === null) return value;
  const target: Record<string, Json> = {};
  for (const [key, field] of Object.entries(value)) setOwn(target, key, shortenLists(field, cut));
  return target;
}

/** Returns how to read the part that was cut. */
export function howToRead(artifactId: string | undefined): string {
  if (artifactId === undefined) return "the rest was not stored";
  return `read the rest with read_artifact id="${artifactId}"`;
}

interface Budget {
  left: number;
  readonly keepTail: boolean;
}

function shrink(value: Json, budget: Budget): Json {
  if (typeof value === "string") return shrinkText(value, budget);
  if (typeof value !== "object" || value === null) {
    budget.left -= 8;
    return value;
  }
  budget.left -= 2;
  return Array.isArray(value) ? shrinkList(value, budget) : shrinkObject(value as JsonObject, budget);
}

function shrinkText(text: string, budget: Budget): string {
  const room = Math.max(0, budget.left - 2);
  // A text that is far too long is not written as JSON to find out.
  const size = text.length > room ? Number.POSITIVE_INFINITY : Buffer.byteLength(JSON.stringify(text));
  budget.left -= Math.min(size, room);
  if (size <= room) return text;
  return budget.keepTail ? tailOf(text, room) : headOf(text, room);
}

function shrinkList(list: readonly Json[], budget: Budget): readonly Json[] {
  const items: Json[] = [];
  for (const item of list) {
    if (budget.left <= 0) break;
    items.push(shrink(item, budget));
  }
  return items;
}

function shrinkObject(object: JsonObject, budget: Budget): JsonObject {
  const target: Record<string, Json> = {};
  // Small fields first, so that an exit code is not lost to a long text before it.
  const entries = Object.entries(object).sort(([, a], [, b]) => weight(a) - weight(b));
  const fields = new Map<string, Json>();
  for (const [key, field] of entries) {
    if (budget.left <= key.length) break;
    budget.left -= key.length + 4;
    fields.set(key, shrink(field, budget));
  }
  for (const key of Object.keys(object)) if (fields.has(key)) setOwn(target, key, fields.get(key) ?? null);
  return target;
}

function weight(value: Json): number {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && value !== null ? JSON.stringify(value).length : 1;
}
