import type { Json } from "../json.ts";

/** One value under its key. */
export interface Document {
  readonly key: string;
  readonly value: Json;
}

export interface ListOptions {
  /** Only keys that begin with this. */
  readonly prefix?: string;
  /** At most so many. */
  readonly limit?: number;
}

/** Keyed JSON documents. A change of one key is made whole or not at all, also where several processes change it. */
export interface Collection {
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
  /** Makes of what is there what shall be there, with nobody between; undefined is none. Gives back what is there now. */
  update(key: string, change: (value: Json | undefined) => Json | undefined): Promise<Json | undefined>;
  /** True where there was one. */
  delete(key: string): Promise<boolean>;
  /** In the order of their keys, by the bytes of UTF-8. */
  list(options?: ListOptions): Promise<readonly Document[]>;
}

export interface CollectionOptions {
  /** Past so many documents those that were not written to for the longest time are forgotten, a few at a time. */
  readonly limit?: number;
}

/** The port of what is kept beside calls and artifacts: small documents, in collections by name. */
export interface Collections {
  open(name: string, options?: CollectionOptions): Collection;
  close(): Promise<void>;
}
