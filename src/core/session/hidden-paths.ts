import { createKey, type Key } from "../context.ts";

/** Returns true if the running tool must leave out a canonical path: policy denies reading it, or requires approval. */
export type IsHidden = (path: string) => boolean;

/** For tools that walk folders: policy has judged the folder, not each file in it. Absent if nothing is hidden. */
export const HiddenPaths: Key<IsHidden> = createKey("HiddenPaths");
