import type { Collection, CollectionOptions, Collections } from "../../core/store/collection.ts";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../core/json.ts";
import { scopedCollection } from "./session-collection.ts";

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
