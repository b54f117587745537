import type {
  Collection,
  CollectionOptions,
  Collections,
  StoredDocument,
} from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";

/** Creates collections in memory. Here and not in the store, because tools and sources without a store need them too. */
export function createMemoryCollections(): Collections {
  const collections = new Map<string, Map<string, string>>();
  let isClosed = false;
  const ifOpen = (): void => {
    if (isClosed) throw collectionsClosed();
  };
  return {
    open(name, options = {}) {
      const documents = collections.get(name) ?? new Map<string, string>();
      collections.set(name, documents);
      return openMemoryCollection(documents, options, ifOpen);
    },
    async close() {
      isClosed = true;
      collections.clear();
    },
  };
}

/** Returns the error for a use after `close`. */
export function collectionsClosed(): ToolError {
  return new ToolError("UNAVAILABLE", "the collections are closed");
}

/** Returns the text of a document; throws on a key or a value that could not be read back unchanged. */
export function toDocumentText(key: string, value: Json): string {
  if (!key.isWellFormed()) throw new ToolError("INVALID_INPUT", "a key must be well-formed text");
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new ToolError("INVALID_INPUT", `the document ${key} is not JSON`);
  return text;
}

/** Stores values as text, so that they share nothing with the caller. A written document moves to the end of the map. */
function openMemoryCollection(
  documents: Map<string, string>,
  { limit = Number.POSITIVE_INFINITY }: CollectionOptions,
  ifOpen: () => void,
): Collection {
  const read = (key: string): Json | undefined => parse(documents.get(key));
  const write = (key: string, value: Json): void => {
    const text = toDocumentText(key, value);
    documents.delete(key);
    documents.set(key, text);
    for (const oldest of documents.keys()) {
      if (documents.size <= limit) return;
      documents.delete(oldest);
    }
  };
  return {
    async get(key) {
      ifOpen();
      return read(key);
    },
    async set(key, value) {
      ifOpen();
      write(key, value);
    },
    async update(key, change) {
      ifOpen();
      const value = change(read(key));
      if (value === undefined) documents.delete(key);
      else write(key, value);
      return read(key);
    },
    async delete(key) {
      ifOpen();
      return documents.delete(key);
    },
    async list({ prefix = "", limit: most } = {}) {
      ifOpen();
      const keys = [...documents.keys()].filter((key) => key.startsWith(prefix));
      // As SQLite does: by the bytes.
      keys.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
      return keys.slice(0, most).map((key): StoredDocument => ({ key, value: read(key) ?? null }));
    },
  };
}

function parse(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}
