import { createKey, type Key } from "../context.ts";

/** A version of a file, identified by its content, else by its times. With neither it equals no other version. */
export type FileVersion = {
  readonly size: number;
  /** Hash of the content. */
  readonly hash?: string;
  /** Identity and times, if a change of the content would change them. */
  readonly stamp?: string;
};

/** The version of a file that the agent has seen. */
export interface SeenFile {
  /** As it was read or written last. */
  readonly version: FileVersion;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/** The files that the agent of a session has seen, by canonical path. */
export interface FileAccess {
  /** Returns undefined for a file that was neither read nor written in this session. */
  seen(path: string): Promise<SeenFile | undefined>;
  /** Records a version that the agent has read or written. */
  note(path: string, version: FileVersion): Promise<void>;
}

/** The files that the calls of a session have read and know. Default: one for each session; provide one to share it, or to say what is known. */
export const FileAccessKey: Key<FileAccess> = createKey("FileAccess");
