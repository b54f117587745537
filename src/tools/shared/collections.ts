import type { Collection, Collections, CollectionOptions } from "../../core/store/collection.ts";
import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { SessionKey } from "../../core/session/session.ts";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../core/json.ts";

interface SessionCollectionOptions {
  readonly name: string;
  /** The maximum number of documents of all sessions together. */
  readonly limit: number;
}

/** Opens a collection of the call's session: in the store if there is one, else in memory until the session ends. */
export function sessionCollection(
  context: ToolContext,
  { collections }: { readonly collections?: Collections },
  { name, limit }: SessionCollectionOptions,
): Collection {
  const session = context.get(SessionKey);
  // Calls without a session share nothing with those of another process.
  const isStored = collections !== undefined && session.id !== "";
  const all = isStored ? collections : session.getOrCreate(InMemory, openInMemory);
  return scopedCollection(all.open(name, { limit }), session.id);
}

/** Restricts a collection to the documents of one owner: a session or a workspace. */
export function scopedCollection(collection: Collection, owner: string): Collection {
  // The length in front keeps one owner from being a prefix of another.
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

function openInMemory(): { readonly value: Collections; close(): Promise<void> } {
  const value = createMemoryCollections();
  return { value, close: () => value.close() };
}

/** Where the data of a workspace is stored. */
export interface WorkspaceOptions {
  /** The canonical folder that names the workspace. */
  readonly root: string;
  readonly collections: Collections;
}

/** Opens a collection that all sessions of a workspace share. */
export function workspaceCollection(
  { root, collections }: WorkspaceOptions,
  { name, ...options }: CollectionOptions & { readonly name: string },
): Collection {
  return scopedCollection(collections.open(name, options), root);
}

/** Adds a document if there are fewer than `most`, also with concurrent calls; returns false otherwise. */
export async function addWithin(
  collection: Collection,
  key: string,
  value: Json,
  most: number,
): Promise<boolean> {
  await collection.set(key, value);
  if ((await collection.list({ limit: most + 1 })).length <= most) return true;
  // A newer value of another call stays.
  await collection.update(key, (now) => (isDeepStrictEqual(now, value) ? undefined : now));
  return false;
}
