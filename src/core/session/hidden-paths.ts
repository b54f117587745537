import { createKey, type Key } from "../context.ts";

/** Returns true if the running tool must leave out a canonical path, or a host: policy denies it, or requires approval. */
export type IsHidden = (path: string) => boolean;

/** For tools that walk folders: policy has judged the folder, not each file in it. Absent if nothing is hidden. */
export const HiddenPaths: Key<IsHidden> = createKey("HiddenPaths");

/** For tools that write files on behalf of a page, such as downloads: true for a path that the tool must not write. */
export const RefusedWrites: Key<IsHidden> = createKey("RefusedWrites");

/** For tools that reach more hosts than the one policy judged, such as those of a page: true for a host that the tool must not reach. */
export const HiddenHosts: Key<IsHidden> = createKey("HiddenHosts");

/**
 * For tools that read the contents of folders: true for a file with secrets, which only a call that names it may read. Its name is no secret. Absent if
 * the policy protects no files.
 */
export const ProtectedPaths: Key<IsHidden> = createKey("ProtectedPaths");
