import type { Collection, Collections } from "../../core/store/collection.ts";
import { isObject, type Json } from "../../core/json.ts";
import { scopedCollection } from "../../tools/shared/collections.ts";

/** The collections in which tools store data of a session. */
const COLLECTIONS = ["goals", "todos", "reasoning"] as const;

interface Copy {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. Later data is left out; data without a time is copied. */
  readonly until: number;
}

/** Copies the data that tools have stored for a session. */
export async function copyMemory(collections: Collections, { from, to, until }: Copy): Promise<void> {
  for (const name of COLLECTIONS) {
    const target = memoryOf(collections, name, to);
    for (const { key, value } of await memoryOf(collections, name, from).list()) {
      const copied = asOf(value, until);
      if (copied !== undefined) await target.set(key, copied);
    }
  }
}

/** Removes the data that tools have stored for a session. */
export async function forgetMemory(collections: Collections, session: string): Promise<void> {
  for (const name of COLLECTIONS) {
    const memory = memoryOf(collections, name, session);
    for (const { key } of await memory.list()) await memory.delete(key);
  }
}

function memoryOf(collections: Collections, name: string, session: string): Collection {
  return scopedCollection(collections.open(name), session);
}

/** Returns a document without later items in its lists; undefined if it is later itself. */
function asOf(value: Json, until: number): Json | undefined {
  if (!isObject(value)) return value;
  const at = value["at"] ?? value["createdAt"];
  if (typeof at === "number" && at > until) return undefined;
  const parts = Object.entries(value).map(([name, part]): readonly [string, Json] => [
    name,
    Array.isArray(part) ? part.flatMap((one: Json) => asOf(one, until) ?? []) : part,
  ]);
  return Object.fromEntries(parts);
}
