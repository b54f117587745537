import type { Collections, Collection } from "../../core/store/collection.ts";
import { forkable } from "./open-calls.ts";
import { createSessionLog, type SessionLog } from "./session-log.ts";
import { ownSession } from "./own-session.ts";
import {
  forkedRecord,
  toInfo,
  toTitle,
  withEntry,
  createSessionRecords,
  unknownSession,
  type SessionRecord,
  type SessionRecords,
} from "./session-records.ts";
import { createStoredUntrustedTexts } from "../../store/database/untrusted-texts.ts";
import type { UntrustedTexts } from "../../core/session/untrusted-texts.ts";
import type { Transcripts } from "./transcript.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import { scopedCollection } from "../../tools/shared/collections.ts";

/** Opens the conversations in a store. Entries are written atomically and never overwritten. */
export function openTranscripts(collections: Collections): Transcripts {
  const log = createSessionLog(collections.open("session-entries"));
  const records = createSessionRecords(collections.open("sessions"));

  return {
    async open(wanted) {
      const left = await records.get(wanted.id);
      if (left?.isDeleted === true) await remove(left, records, log);
      const record = await records.make(wanted);
      const entries = await log.read({ ...record, session: record.id });
      // A process may have ended after writing an entry and before updating the record.
      const newer = entries.filter(({ seq }) => seq > record.seq);
      if (newer.length > 0) await records.change(record, (one) => newer.reduce(withEntry, one));
      return { info: toInfo(newer.reduce(withEntry, record)), entries };
    },

    async append(session, body) {
      const record = await records.require(session);
      const entry = await log.append({ ...record, session }, body);
      if (await records.change(record, (one) => withEntry(one, entry))) return entry;
      await log.remove(record.log, entry);
      throw unknownSession(session);
    },

    async info(session) {
      const record = await records.find(session);
      return record && toInfo(record);
    },

    rename: (session, title) => renameSession(records, session, title),

    async list({ workspace, limit } = {}) {
      const all = await records.list();
      const wanted = all.filter((one) => workspace === undefined || one.workspace === workspace);
      const byLastUse = wanted.sort((a, b) => b.updatedAt - a.updatedAt || b.createdAt - a.createdAt);
      return byLastUse.slice(0, limit).map(toInfo);
    },

    async entries(session) {
      const record = await records.find(session);
      return record === undefined ? [] : log.read({ ...record, session });
    },

    async fork(session, { at } = {}) {
      const record = await records.require(session);
      const copied = forkable(await log.read({ ...record, session }, limitOf(at)), at);
      const forked = forkedRecord(record, copied);
      const until = at === undefined ? Number.POSITIVE_INFINITY : (copied.at(-1)?.at ?? 0);
      // The record is added last: without it none of this is visible.
      await copyMemory(collections, { from: session, to: forked.id, until });
      await copyOrigins(createStoredUntrustedTexts(collections), session, forked.id);
      for (const entry of copied) await log.write(forked.log, entry);
      await records.add(forked);
      return toInfo(forked);
    },

    delete: (session) => deleteSession(session, { collections, records, log }),
  };
}

async function renameSession(records: SessionRecords, session: string, title: string): Promise<void> {
  const line = toTitle(title);
  if (line === "") throw new ToolError("INVALID_INPUT", "the title is empty");
  const record = await records.require(session);
  if (!(await records.change(record, (one) => ({ ...one, title: line })))) throw unknownSession(session);
}

interface Parts {
  readonly collections: Collections;
  readonly records: SessionRecords;
  readonly log: SessionLog;
}

/** Returns false if there is none, or only the rest of one that was being deleted. */
async function deleteSession(session: string, { collections, records, log }: Parts): Promise<boolean> {
  const release = await ownSession(collections, session);
  try {
    const record = await records.get(session).catch(() => undefined);
    if (record === undefined) return await records.forget(session);
    await forgetMemory(collections, session);
    await remove(record, records, log);
    return record.isDeleted !== true;
  } finally {
    await release();
  }
}

/** Entries after `at` are not read: they may be damaged. */
function limitOf(at: number | undefined): number | undefined {
  return at !== undefined && Number.isInteger(at) && at >= 0 ? at : undefined;
}

async function remove(record: SessionRecord, records: SessionRecords, log: SessionLog): Promise<void> {
  // Marked first, so that a session that is half removed is never resumed.
  await records.change(record, (one) => ({ ...one, isDeleted: true }));
  await log.clear(record);
  await records.drop(record);
}

/** The collections in which tools store data of a session. */
const COLLECTIONS = ["goals", "todos", "reasoning"] as const;

interface Copy {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. Later data is left out; data without a time is copied. */
  readonly until: number;
}

/** Copies the data that tools have stored for a session. */
async function copyMemory(collections: Collections, { from, to, until }: Copy): Promise<void> {
  for (const name of COLLECTIONS) {
    const target = memoryOf(collections, name, to);
    for (const { key, value } of await memoryOf(collections, name, from).list()) {
      const copied = asOf(value, until);
      if (copied !== undefined) await target.set(key, copied);
    }
  }
}

/** Removes the data that tools have stored for a session. */
async function forgetMemory(collections: Collections, session: string): Promise<void> {
  for (const name of COLLECTIONS) {
    const memory = memoryOf(collections, name, session);
    for (const { key } of await memory.list()) await memory.delete(key);
  }
}

function memoryOf(collections: Collections, name: string, session: string): Collection {
  return scopedCollection(collections.open(name), session);
}

/** Returns a document without later items in its lists; undefined if it is later itself. */
function asOf(value: Json, until: number): Json | undefined {
  if (!isObject(value)) return value;
  const at = value["at"] ?? value["createdAt"];
  if (typeof at === "number" && at > until) return undefined;
  const parts = Object.entries(value).map(([name, part]): readonly [string, Json] => [
    name,
    Array.isArray(part) ? part.flatMap((one: Json) => asOf(one, until) ?? []) : part,
  ]);
  return Object.fromEntries(parts);
}

/** The copied messages have the same text from outside. */
async function copyOrigins(texts: UntrustedTexts, from: string, to: string): Promise<void> {
  const origins = await texts.find(from);
  if (origins !== undefined) await texts.set(to, origins);
}
