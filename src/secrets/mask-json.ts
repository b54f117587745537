import type { Json } from "../core/json.ts";
import { maskRanges, type Range } from "./find/ranges.ts";
import type { Masker } from "./mask.ts";
import { copyJson } from "../util/json/copy-json.ts";

/** What masks values. */
export type ValueMasker = Pick<Masker, "text" | "find">;

/** A value without secrets, and its JSON text. */
export interface MaskedJson {
  readonly data: Json;
  readonly text: string;
}

/** Masks a value and its JSON text. The value is only walked if the text may contain a secret. */
export function maskJson(value: Json, masker: ValueMasker, text = JSON.stringify(value)): MaskedJson {
  if (masker.find(text) === undefined && !text.includes("PRIVATE")) return { data: value, text };
  const data = maskValue(value, masker);
  return { data, text: JSON.stringify(data) };
}

/**
 * Returns a copy that is pure JSON, with secrets masked in it: each text as what its field says, and the texts of a list together,
 * as the lines of a key may be in one each. What has no JSON form becomes null.
 */
export function maskValue(value: unknown, masker: ValueMasker): Json {
  let hasKey = false;
  const mask = (text: string, name?: string): string => {
    hasKey ||= text.includes("PRIVATE");
    return masker.text(text, name);
  };
  const masked = copyJson(value, undefined, mask);
  return hasKey && typeof masked === "object"
    ? maskLines(copyJson(value, undefined), masked, masker)
    : masked;
}

/** The texts at places that differ in numbers only, as those of the lines of one list. */
interface Column {
  readonly texts: string[];
  readonly masked: string[];
}

/** Masks what is only found in the lines of a list together: a private key. */
function maskLines(value: Json, masked: Json, masker: ValueMasker): Json {
  const columns = new Map<string, Column>();
  walk(value, masked, "", (place, text, shown) => {
    const column = columns.get(place) ?? { texts: [], masked: [] };
    columns.set(place, column);
    column.texts.push(text);
    column.masked.push(shown);
    return shown;
  });
  for (const column of columns.values()) maskColumn(column, masker);
  const next = new Map<string, number>();
  return walk(value, masked, "", (place, _text, shown) => {
    const index = next.get(place) ?? 0;
    next.set(place, index + 1);
    return columns.get(place)?.masked[index] ?? shown;
  });
}

function maskColumn({ texts, masked }: Column, { find }: ValueMasker): void {
  if (texts.length < 2) return;
  const ranges = find(texts.join("\n")) ?? [];
  let start = 0;
  for (const [index, text] of texts.entries()) {
    const end = start + text.length;
    const own = ranges.flatMap(([from, to]): Range[] => {
      const part: Range = [Math.max(from, start) - start, Math.min(to, end) - start];
      return part[0] < part[1] && (from < start || to > end) ? [part] : [];
    });
    if (own.length > 0) masked[index] = maskRanges(text, own);
    start = end + 1;
  }
}

type Visit = (place: string, text: string, shown: string) => string;

/** Replaces each text of the masked value by what `visit` returns for it. Fields with numbers as names count as items of a list. */
function walk(value: Json, masked: Json, place: string, visit: Visit): Json {
  if (typeof value === "string" && typeof masked === "string") return visit(place, value, masked);
  if (typeof value !== "object" || typeof masked !== "object" || value === null || masked === null)
    return masked;
  const values = Object.entries(value);
  // Masking keeps the order of fields, and may change their names.
  const maskedEntries = Object.entries(masked);
  const entries = maskedEntries.map(([name, one], index): [string, Json] => {
    const [own, inner] = values[index] ?? [name, null];
    return [name, walk(inner, one, `${place}/${/^\d+$/.test(own) ? "*" : own}`, visit)];
  });
  return Array.isArray(masked) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
