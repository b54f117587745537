import type { Json } from "../json.ts";

/** A value and its key. Changing `value` changes nothing that is stored: call `set` or `update`. */
export interface StoredDocument {
  readonly key: string;
  readonly value: Json;
}

export interface ListOptions {
  /** Only keys with this prefix. */
  readonly prefix?: string;
  /** The maximum number of documents. */
  readonly limit?: number;
}

/** JSON documents by key. A change of one key is atomic, also across processes. */
export interface Collection {
  /** Returns undefined for a key without a value. */
  get(key: string): Promise<Json | undefined>;
  /** Stores a value, in place of an earlier one. */
  set(key: string, value: Json): Promise<void>;
  /** Replaces a value atomically by what `change` returns; undefined deletes it. Returns the new value. */
  update(key: string, change: (value: Json | undefined) => Json | undefined): Promise<Json | undefined>;
  /** Returns true if there was one. */
  delete(key: string): Promise<boolean>;
  /** Returns the documents in the order of the UTF-8 bytes of their keys. */
  list(options?: ListOptions): Promise<readonly StoredDocument[]>;
  /** Returns whether the process with this identity runs, on any machine; default: all processes are of this machine. */
  isAlive?(process: object): Promise<boolean>;
}

export interface CollectionOptions {
  /** The maximum number of documents; beyond it, those written longest ago are deleted, a few at a time. */
  readonly limit?: number;
}

/** The port of stored documents besides calls and artifacts, in collections by name. */
export interface Collections {
  /** Returns the collection of this name, which is empty at first. */
  open(name: string, options?: CollectionOptions): Collection;
  close(): Promise<void>;
}
