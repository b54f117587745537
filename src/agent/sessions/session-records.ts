import type { Collection } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { SessionRecord } from "./session-record.ts";
import { newRecord, toRecord } from "./session-record.ts";
import type { NewSession } from "./transcript.ts";

/** What is kept of every session beside its entries. */
export interface SessionRecords {
  /** Undefined where there is none; one that is being deleted may be there still. */
  get(session: string): Promise<SessionRecord | undefined>;
  /** Undefined where there is none, or one that is being deleted. */
  find(session: string): Promise<SessionRecord | undefined>;
  /** Like `find`, but throws. */
  kept(session: string): Promise<SessionRecord>;
  list(): Promise<readonly SessionRecord[]>;
  /** The one that is there, or a new one. */
  make(wanted: NewSession): Promise<SessionRecord>;
  add(record: SessionRecord): Promise<void>;
  /** False where the session is no longer there: deleted, or deleted and made again. */
  change(record: SessionRecord, change: (record: SessionRecord) => SessionRecord): Promise<boolean>;
  /** Forgets this record, and no later one of the same session. */
  drop(record: SessionRecord): Promise<void>;
  /** Forgets whatever is there; false where there is nothing. */
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
    async kept(session) {
      const record = await find(session);
      if (record === undefined) throw notKept(session);
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
  throw new ToolError("UNAVAILABLE", `What is kept of the session ${session} cannot be read.`, {
    hint: `Nothing was changed. Restore the store from a copy, or remove it: toolwright sessions delete ${session}`,
    details: { session },
  });
}

/** The error for a session that there is not, or no longer. */
export function notKept(session: string): ToolError {
  return new ToolError("INVALID_INPUT", `no session ${session} is kept`, {
    hint: "toolwright sessions --all lists those that are",
  });
}

function asJson(record: SessionRecord): Json {
  return record as unknown as Json;
}
