import { open } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type {
  Collection,
  CollectionOptions,
  Collections,
  StoredDocument,
  ListOptions,
} from "../../core/store/collection.ts";
import type { Json } from "../../core/json.ts";
import { collectionsClosed, toDocumentText } from "../../util/json/memory-collections.ts";
import { ToolError } from "../../core/errors.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { RECOVER, toUnavailable, whenUnlocked } from "./database.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { inTransaction } from "./transaction.ts";

/** A collection is trimmed after this number of writes: counting costs more than writing. */
const TRIM_EVERY = 16;

/** What allows something. It may have been revoked since a copy of the store was made. */
export const APPROVALS: readonly string[] = ["trust", "grants", "mcp-pins", "api-pins"];

/**
 * Creates the collections of a database that other processes may share. What allows something is on the disk when its write resolves: a revoked approval
 * does not come back after a power cut. Never closes the database.
 */
export function createSqliteCollections(database: DatabaseSync): Collections {
  const table = createDocumentTable(database);
  let isClosed = false;
  const attempt: Attempt = async (what, work) => {
    if (isClosed) throw collectionsClosed();
    try {
      return await whenUnlocked(work);
    } catch (error) {
      throw toUnavailable(error, `the collection cannot be ${what}`);
    }
  };
  return {
    open: (name, options = {}) =>
      openCollection(name, options, table, APPROVALS.includes(name) ? synced(database, attempt) : attempt),
    async close() {
      isClosed = true;
    },
  };
}

type Attempt = <T>(what: "read" | "written", work: () => T) => Promise<T>;

/** Returns an attempt whose writes are on the disk when they resolve. The disk is awaited in a thread: a slow one holds up no call. */
function synced(database: DatabaseSync, attempt: Attempt): Attempt {
  return async (what, work) => {
    const value = await attempt(what, work);
    if (what === "written") await syncLog(`${database.location()}-wal`);
    return value;
  };
}

/** A log that is missing was copied to the database, which is synced by that. */
async function syncLog(path: string): Promise<void> {
  try {
    await using log = await open(path, "r");
    await log.datasync();
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw toUnavailable(error, "the collection cannot be written");
  }
}

function openCollection(
  name: string,
  { limit }: CollectionOptions,
  table: ReturnType<typeof createDocumentTable>,
  attempt: Attempt,
): Collection {
  const write = (key: string, text: string): void => {
    const id = table.put(name, key, text);
    if (limit !== undefined && id % TRIM_EVERY === 0) table.trim(name, limit);
  };
  return {
    get: (key) => attempt("read", () => table.get(name, key)),
    set(key, value) {
      return attempt("written", () => write(key, toDocumentText(key, value)));
    },
    update: (key, change) =>
      attempt("written", () =>
        table.transaction(() => {
          const value = change(table.get(name, key));
          if (value === undefined) table.delete(name, key);
          else write(key, toDocumentText(key, value));
          return table.get(name, key);
        }),
      ),
    delete: (key) => attempt("written", () => table.delete(name, key)),
    list: (options = {}) => attempt("read", () => table.list(name, options)),
  };
}

/** Throws for a damaged document, which may have said that something is not allowed. */
function parseDocument(collection: string, key: string, text: unknown): Json {
  const value = parseJson(String(text));
  if (value !== undefined) return value;
  throw new ToolError("UNAVAILABLE", `the document ${JSON.stringify(key)} of ${collection} is damaged`, {
    hint: RECOVER,
  });
}

function createDocumentTable(database: DatabaseSync) {
  const get = database.prepare("SELECT value FROM documents WHERE collection = ? AND key = ?");
  // Replacing gives the row a new id: the order of ids is the order of writes.
  const put = database.prepare("INSERT OR REPLACE INTO documents (collection, key, value) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM documents WHERE collection = ? AND key = ?");
  const list = database.prepare(
    "SELECT key, value FROM documents WHERE collection = ? AND key >= ? ORDER BY key",
  );
  const trim = database.prepare(
    `DELETE FROM documents WHERE collection = ?1 AND id <=
       (SELECT id FROM documents WHERE collection = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
  );
  return {
    get(collection: string, key: string): Json | undefined {
      const row = get.get(collection, key);
      return row === undefined ? undefined : parseDocument(collection, key, row["value"]);
    },
    /** Returns a number that increases with each write to any collection. */
    put: (collection: string, key: string, text: string): number =>
      Number(put.run(collection, key, text).lastInsertRowid),
    delete: (collection: string, key: string): boolean => remove.run(collection, key).changes > 0,
    list(collection: string, { prefix = "", limit = Number.POSITIVE_INFINITY }: ListOptions) {
      const documents: StoredDocument[] = [];
      for (const row of list.iterate(collection, prefix)) {
        const key = String(row["key"]);
        if (documents.length >= limit || !key.startsWith(prefix)) break;
        documents.push({ key, value: parseDocument(collection, key, row["value"]) });
      }
      return documents;
    },
    /** Deletes all but the newest `limit` documents. */
    trim: (collection: string, limit: number): void => void trim.run(collection, limit),
    transaction: <T>(work: () => T): T => inTransaction(database, work),
  };
}
