import { randomUUID } from "node:crypto";
import type { Collection } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { NewSession, Entry, SessionInfo } from "./transcript.ts";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";
import { shortened } from "../../util/text/shortened.ts";
import { contentText } from "../../util/text/content-text.ts";

/** The records of all sessions. */
export type SessionRecords = ReturnType<typeof createSessionRecords>;

export function createSessionRecords(collection: Collection) {
  const get = async (session: string): Promise<SessionRecord | undefined> => {
    const value = await collection.get(session);
    return value === undefined ? undefined : readable(session, value);
  };
  const find = async (session: string): Promise<SessionRecord | undefined> => {
    const record = await get(session);
    return record?.isDeleted === true ? undefined : record;
  };
  return {
    /** Returns undefined if there is none; includes a session that is being deleted. */
    get,
    /** Returns undefined if there is none or it is being deleted. */
    find,
    /** Like `find`, but throws if there is none. */
    async require(session: string): Promise<SessionRecord> {
      const record = await find(session);
      if (record === undefined) throw unknownSession(session);
      return record;
    },
    async list(): Promise<readonly SessionRecord[]> {
      const documents = await collection.list();
      return documents
        .map(({ key, value }) => readable(key, value))
        .filter(({ isDeleted }) => isDeleted !== true);
    },
    /** Returns the stored record, or creates it. */
    async make(wanted: NewSession): Promise<SessionRecord> {
      const value = await collection.update(wanted.id, (there) => there ?? asJson(newRecord(wanted)));
      return readable(wanted.id, value ?? null);
    },
    add: (record: SessionRecord): Promise<void> => collection.set(record.id, asJson(record)),
    /** Returns false if the session was deleted, or deleted and created again. */
    async change(
      { id, log }: SessionRecord,
      change: (record: SessionRecord) => SessionRecord,
    ): Promise<boolean> {
      let isChanged = false;
      await collection.update(id, (value) => {
        const there = toRecord(value);
        isChanged = there !== undefined && there.log === log && there.isDeleted !== true;
        return isChanged && there !== undefined ? asJson(change(there)) : value;
      });
      return isChanged;
    },
    /** Removes this record, but not a later one of the same session. */
    async drop({ id, log }: SessionRecord): Promise<void> {
      await collection.update(id, (value) => (toRecord(value)?.log === log ? undefined : value));
    },
    /** Removes any record; false if there is none. */
    forget: (session: string): Promise<boolean> => collection.delete(session),
  };
}

function readable(session: string, value: Json): SessionRecord {
  const record = toRecord(value);
  if (record !== undefined) return record;
  throw new ToolError("UNAVAILABLE", `the stored session ${session} cannot be read`, {
    hint: `nothing was changed; restore the store from a copy, or remove it: toolwright sessions delete ${session}`,
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

const MAX_TITLE_CHARACTERS = 120;

/**
 * The stored data of a session except its entries. Entries are stored under the id of a log, not of the session, so that a session
 * that is deleted and created again never finds entries of the old one.
 */
export type SessionRecord = SessionInfo & {
  readonly log: string;
  /** The last entry that the record includes; there may be later ones. */
  readonly seq: number;
  /** Its entries are being removed. */
  readonly isDeleted?: true;
};

function newRecord(session: NewSession): SessionRecord {
  const { id, agent, workspace, model } = session;
  const now = Date.now();
  return {
    id,
    title: "",
    agent,
    workspace,
    model,
    state: "idle",
    turns: 0,
    createdAt: now,
    updatedAt: now,
    log: randomUUID(),
    seq: 0,
  };
}

/** Creates the record of a copy; its state is idle. */
export function forkedRecord(from: SessionRecord, copied: readonly Entry[]): SessionRecord {
  const empty = newRecord({ ...from, id: randomUUID() });
  const seq = copied.at(-1)?.seq ?? 0;
  const filled = copied.reduce(withEntry, empty);
  return { ...filled, state: "idle", updatedAt: empty.createdAt, forkedFrom: { session: from.id, seq } };
}

/** Updates a record with an entry. Entries may arrive out of order if two processes write. */
export function withEntry(record: SessionRecord, entry: Entry): SessionRecord {
  const isNewest = entry.seq > record.seq;
  return {
    ...record,
    ...(record.title === "" && { title: titleOf(entry) }),
    ...(isNewest && entry.kind === "usage" && { model: entry.model }),
    ...(isNewest && entry.kind === "state" && { state: entry.state }),
    ...("turn" in entry && { turns: Math.max(record.turns, entry.turn) }),
    updatedAt: Math.max(record.updatedAt, entry.at),
    seq: Math.max(record.seq, entry.seq),
  };
}

export function toInfo({ log: _log, seq: _seq, isDeleted: _isDeleted, ...info }: SessionRecord): SessionInfo {
  return info;
}

/** Returns undefined for a document that is not a record. */
const toRecord = createDocumentReader<SessionRecord>(
  withFields({
    id: TEXT,
    title: TEXT,
    workspace: TEXT,
    model: TEXT,
    state: TEXT,
    log: TEXT,
    agent: withFields({}),
    turns: NUMBER,
    createdAt: NUMBER,
    updatedAt: NUMBER,
    seq: NUMBER,
  }),
);

function titleOf(entry: Entry): string {
  if (entry.kind !== "message" || entry.message.role !== "user") return "";
  return toTitle(contentText(entry.message.content));
}

/** Returns the first line of a text, cut to the length of a title. */
export function toTitle(text: string): string {
  const [line = ""] = text.trim().split(/\r\n|[\n\r\u2028\u2029]/, 1);
  return shortened(line.trim(), MAX_TITLE_CHARACTERS);
}
