import type { Collection, CollectionOptions, Collections } from "../../core/store/collection.ts";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../core/json.ts";
import { scopedCollection } from "./session-collection.ts";

/** Where things of a workspace are kept. */
export interface WorkspaceOptions {
  /** The canonical folder that names the workspace. */
  readonly root: string;
  readonly collections: Collections;
}

/** What a workspace keeps under a name, for all its sessions and for those to come. */
export function workspaceCollection(
  { root, collections }: WorkspaceOptions,
  { name, ...options }: CollectionOptions & { readonly name: string },
): Collection {
  return scopedCollection(collections.open(name, options), root);
}

/** Adds a document where there are fewer than `most`; false where there are not. Several at once never make more of them. */
export async function addWithin(
  collection: Collection,
  key: string,
  value: Json,
  most: number,
): Promise<boolean> {
  await collection.set(key, value);
  if ((await collection.list({ limit: most + 1 })).length <= most) return true;
  // What somebody else wrote there since is theirs.
  await collection.update(key, (now) => (isDeepStrictEqual(now, value) ? undefined : now));
  return false;
}
