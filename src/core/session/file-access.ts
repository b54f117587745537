import type { Key } from "../context.ts";
import { createKey } from "../context.ts";

/** A version of a file, as far as it can be told from others: by its content, else by its times. With neither it is like no other. */
export type FileVersion = {
  readonly size: number;
  /** Of the content. */
  readonly hash?: string;
  /** Of identity and times, where a change of the content would show in them. */
  readonly stamp?: string;
};

/** The version of a file that the agent knows. */
export interface SeenFile {
  readonly version: FileVersion;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/** What the agent of a session knows of files, by their canonical paths. */
export interface FileAccess {
  /** Undefined for a file that was neither read nor written in this session. */
  seen(path: string): Promise<SeenFile | undefined>;
  note(path: string, version: FileVersion): Promise<void>;
}

/** Provide one to replace the session's own. */
export const FileAccessKey: Key<FileAccess> = createKey("FileAccess");
