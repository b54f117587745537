import { createKey, type Key } from "../context.ts";

export interface ArtifactInfo {
  readonly id: string;
  /** Bytes of the whole. */
  readonly size: number;
  /** Bytes that were dropped from the middle because the whole exceeded the size limit. */
  readonly dropped: number;
  readonly createdAt: number;
}

/** Writes a long text in pieces; memory stays bounded. */
export interface ArtifactWriter {
  readonly id: string;
  /** Appends a piece. Wait for the promise, if there is one, before the next. */
  write(text: string): void | Promise<void>;
  /** Ends the text and returns its size. */
  close(): Promise<ArtifactInfo>;
}

export interface ArtifactSlice {
  readonly text: string;
  /** Byte offsets of the slice, on character boundaries. */
  readonly start: number;
  /** Where the next slice starts; equal to `size` at the end of the text. */
  readonly end: number;
  readonly size: number;
}

export interface ArtifactMatch {
  readonly line: number;
  /** Byte offset of the line. */
  readonly start: number;
  readonly text: string;
}

/** Stores the whole texts of truncated answers. */
export interface Artifacts {
  /** Where and how much is stored, for the notice in an answer. */
  readonly storage: { readonly maxBytes: number; readonly where: "disk" | "memory" };
  /** Starts a text; it can be read once its writer is closed. */
  create(): ArtifactWriter;
  /** Returns undefined for an id that is unknown or has expired. */
  info(id: string): Promise<ArtifactInfo | undefined>;
  /** Returns at most `length` bytes from the offset `start`; undefined for an unknown id. */
  read(id: string, start: number, length: number): Promise<ArtifactSlice | undefined>;
  /** Returns the lines that match the pattern, at most `limit`. */
  search(id: string, pattern: RegExp, limit: number): Promise<readonly ArtifactMatch[] | undefined>;
  close(): Promise<void>;
}

/** The store in which truncated answers are whole. Engines of `createEngine` always have one. */
export const ArtifactsKey: Key<Artifacts> = createKey("Artifacts");
