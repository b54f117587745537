import type { Collection, Collections } from "../../core/collection.ts";
import type { Key, ToolContext } from "../../core/context.ts";
import { createKey } from "../../core/context.ts";
import { createMemoryCollections } from "../../core/memory-collections.ts";
import { Session } from "../../core/session.ts";
import type { FilesOptions } from "./options.ts";

/** Documents of one session, by key. */
export type SessionCollection = Pick<Collection, "get" | "set" | "update">;

export interface SessionCollectionOptions {
  readonly name: string;
  /** How many documents of all sessions together. */
  readonly limit: number;
}

/** What the call's session keeps under a name: in the store where there is one, else for as long as the session lives. */
export function sessionCollection(
  context: ToolContext,
  { collections }: FilesOptions,
  { name, limit }: SessionCollectionOptions,
): SessionCollection {
  const session = context.get(Session);
  // Calls without a session of their own are strangers to those of another process.
  const isKept = collections !== undefined && session.id !== "";
  const all = isKept ? collections : session.keep(InMemory, keepInMemory);
  const collection = all.open(name, { limit });
  // With its length in front no id and key can be read as others.
  const keyOf = (key: string): string => `${session.id.length}:${session.id}:${key}`;
  return {
    get: (key) => collection.get(keyOf(key)),
    set: (key, value) => collection.set(keyOf(key), value),
    update: (key, change) => collection.update(keyOf(key), change),
  };
}

const InMemory: Key<Collections> = createKey("tools.files.InMemory");

function keepInMemory(): { readonly value: Collections; close(): Promise<void> } {
  const value = createMemoryCollections();
  return { value, close: () => value.close() };
}
