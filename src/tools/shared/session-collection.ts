import type { Collection, Collections } from "../../core/store/collection.ts";
import type { Key, ToolContext } from "../../core/context.ts";
import { createKey } from "../../core/context.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { Session } from "../../core/session/session.ts";

export interface SessionCollectionOptions {
  readonly name: string;
  /** How many documents of all sessions together. */
  readonly limit: number;
}

/** What the call's session keeps under a name: in the store where there is one, else for as long as the session lives. */
export function sessionCollection(
  context: ToolContext,
  { collections }: { readonly collections?: Collections },
  { name, limit }: SessionCollectionOptions,
): Collection {
  const session = context.get(Session);
  // Calls without a session of their own are strangers to those of another process.
  const isKept = collections !== undefined && session.id !== "";
  const all = isKept ? collections : session.getOrCreate(InMemory, keepInMemory);
  return scopedCollection(all.open(name, { limit }), session.id);
}

/** The documents of one owner among those of many: a session, or a workspace. */
export function scopedCollection(collection: Collection, owner: string): Collection {
  // With its length in front no owner and key can be read as others.
  const own = `${owner.length}:${owner}:`;
  return {
    get: (key) => collection.get(`${own}${key}`),
    set: (key, value) => collection.set(`${own}${key}`, value),
    update: (key, change) => collection.update(`${own}${key}`, change),
    delete: (key) => collection.delete(`${own}${key}`),
    async list({ prefix = "", ...options } = {}) {
      const documents = await collection.list({ ...options, prefix: `${own}${prefix}` });
      return documents.map(({ key, value }) => ({ key: key.slice(own.length), value }));
    },
  };
}

const InMemory: Key<Collections> = createKey("tools.InMemory");

function keepInMemory(): { readonly value: Collections; close(): Promise<void> } {
  const value = createMemoryCollections();
  return { value, close: () => value.close() };
}
