import type { Key } from "../context.ts";
import { createKey } from "../context.ts";

/** Says whether the running tool must leave out a canonical path: policy denies reading it, or would ask about it. */
export type IsHidden = (path: string) => boolean;

/** For tools that go through folders: policy has judged the folder, not each file in it. Absent where nothing is hidden. */
export const HiddenPaths: Key<IsHidden> = createKey("HiddenPaths");
