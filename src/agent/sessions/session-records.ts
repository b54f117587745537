import type { Collection } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { newRecord, toRecord, type SessionRecord } from "./session-record.ts";
import type { NewSession } from "./transcript.ts";

/** The records of all sessions. */
export interface SessionRecords {
  /** Returns undefined if there is none; includes a session that is being deleted. */
  get(session: string): Promise<SessionRecord | undefined>;
  /** Returns undefined if there is none or it is being deleted. */
  find(session: string): Promise<SessionRecord | undefined>;
  /** Like `find`, but throws if there is none. */
  require(session: string): Promise<SessionRecord>;
  list(): Promise<readonly SessionRecord[]>;
  /** Returns the stored record, or creates it. */
  make(wanted: NewSession): Promise<SessionRecord>;
  add(record: SessionRecord): Promise<void>;
  /** Returns false if the session was deleted, or deleted and created again. */
  change(record: SessionRecord, change: (record: SessionRecord) => SessionRecord): Promise<boolean>;
  /** Removes this record, but not a later one of the same session. */
  drop(record: SessionRecord): Promise<void>;
  /** Removes any record; false if there is none. */
  forget(session: string): Promise<boolean>;
}

export function createSessionRecords(collection: Collection): SessionRecords {
  const get = async (session: string): Promise<SessionRecord | undefined> => {
    const value = await collection.get(session);
    return value === undefined ? undefined : readable(session, value);
  };
  const find = async (session: string): Promise<SessionRecord | undefined> => {
    const record = await get(session);
    return record?.isDeleted === true ? undefined : record;
  };
  return {
    get,
    find,
    async require(session) {
      const record = await find(session);
      if (record === undefined) throw unknownSession(session);
      return record;
    },
    async list() {
      const documents = await collection.list();
      return documents
        .map(({ key, value }) => readable(key, value))
        .filter(({ isDeleted }) => isDeleted !== true);
    },
    async make(wanted) {
      const value = await collection.update(wanted.id, (there) => there ?? asJson(newRecord(wanted)));
      return readable(wanted.id, value ?? null);
    },
    add: (record) => collection.set(record.id, asJson(record)),
    async change({ id, log }, change) {
      let isChanged = false;
      await collection.update(id, (value) => {
        const there = toRecord(value);
        isChanged = there !== undefined && there.log === log && there.isDeleted !== true;
        return isChanged && there !== undefined ? asJson(change(there)) : value;
      });
      return isChanged;
    },
    async drop({ id, log }) {
      await collection.update(id, (value) => (toRecord(value)?.log === log ? undefined : value));
    },
    forget: (session) => collection.delete(session),
  };
}

function readable(session: string, value: Json): SessionRecord {
  const record = toRecord(value);
  if (record !== undefined) return record;
  throw new ToolError("UNAVAILABLE", `The stored session ${session} cannot be read.`, {
    hint: `Nothing was changed. Restore the store from a copy, or remove it: toolwright sessions delete ${session}`,
    details: { session },
  });
}

/** Creates the error for a session that does not exist. */
export function unknownSession(session: string): ToolError {
  return new ToolError("INVALID_INPUT", `unknown session ${session}`, {
    hint: "toolwright sessions --all lists all sessions",
  });
}

function asJson(record: SessionRecord): Json {
  return record as unknown as Json;
}
