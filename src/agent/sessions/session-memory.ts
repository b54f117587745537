import type { Collection, Collections } from "../../core/store/collection.ts";
import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { scopedCollection } from "../../tools/shared/session-collection.ts";

/** What the tools of a session keep under its name: goals with decisions, things to do, what was reasoned. */
const KEPT = ["goals", "todos", "reasoning"] as const;

interface Copy {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. What came later is left out, and what does not say when it came is not. */
  readonly until: number;
}

/** Gives a session what the tools of another have kept for it. */
export async function copyMemory(collections: Collections, { from, to, until }: Copy): Promise<void> {
  for (const name of KEPT) {
    const target = memoryOf(collections, name, to);
    for (const { key, value } of await memoryOf(collections, name, from).list()) {
      const copied = asOf(value, until);
      if (copied !== undefined) await target.set(key, copied);
    }
  }
}

/** Removes what the tools of a session have kept for it. */
export async function forgetMemory(collections: Collections, session: string): Promise<void> {
  for (const name of KEPT) {
    const memory = memoryOf(collections, name, session);
    for (const { key } of await memory.list()) await memory.delete(key);
  }
}

function memoryOf(collections: Collections, name: string, session: string): Collection {
  return scopedCollection(collections.open(name), session);
}

/** A document without what came later, in it or in its lists; undefined where it is itself later. */
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
