import type { Key } from "../context.ts";
import { createKey } from "../context.ts";

export interface ArtifactInfo {
  readonly id: string;
  /** Bytes of the whole. */
  readonly size: number;
  /** Bytes that were dropped from the middle because the whole was over the cap. */
  readonly dropped: number;
  readonly createdAt: number;
}

/** Takes a long text piece by piece; memory stays bounded whatever is written. */
export interface ArtifactWriter {
  readonly id: string;
  write(text: string): void | Promise<void>;
  close(): Promise<ArtifactInfo>;
}

export interface ArtifactSlice {
  readonly text: string;
  /** Byte offsets of the slice, on character borders. */
  readonly start: number;
  readonly end: number;
  readonly size: number;
}

export interface ArtifactMatch {
  readonly line: number;
  /** Byte offset of the line. */
  readonly start: number;
  readonly text: string;
}

/** Keeps whole texts that an answer had to cut. */
export interface Artifacts {
  /** Says what is kept, for the notice: `{ maxBytes, kept: "disk" | "memory" }`. */
  readonly keeps: { readonly maxBytes: number; readonly where: "disk" | "memory" };
  create(): ArtifactWriter;
  /** Undefined for an id that is unknown or has expired. */
  info(id: string): Promise<ArtifactInfo | undefined>;
  read(id: string, start: number, length: number): Promise<ArtifactSlice | undefined>;
  /** Lines that contain the pattern, at most `limit`. */
  search(id: string, pattern: RegExp, limit: number): Promise<readonly ArtifactMatch[] | undefined>;
  close(): Promise<void>;
}

export const ArtifactsKey: Key<Artifacts> = createKey("Artifacts");
