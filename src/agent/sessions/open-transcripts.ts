import type { Collections } from "../../core/store/collection.ts";
import { forkable } from "./forkable.ts";
import type { SessionLog } from "./session-log.ts";
import { createSessionLog } from "./session-log.ts";
import { copyMemory, forgetMemory } from "./session-memory.ts";
import type { SessionRecord } from "./session-record.ts";
import { forkedRecord, toInfo, withEntry } from "./session-record.ts";
import type { SessionRecords } from "./session-records.ts";
import { createSessionRecords, notKept } from "./session-records.ts";
import type { Transcripts } from "./transcript.ts";

/** The conversations in a store, or in memory. An entry is there whole or not at all, and none is ever written over. */
export function openTranscripts(collections: Collections): Transcripts {
  const log = createSessionLog(collections.open("session-entries"));
  const records = createSessionRecords(collections.open("sessions"));

  return {
    async open(wanted) {
      const left = await records.get(wanted.id);
      if (left?.isDeleted === true) await remove(left, records, log);
      const record = await records.make(wanted);
      const entries = await log.read({ ...record, session: record.id });
      // Whoever wrote the last entries may have ended before the record followed.
      const unheard = entries.filter(({ seq }) => seq > record.seq);
      if (unheard.length > 0) await records.change(record, (one) => unheard.reduce(withEntry, one));
      return { info: toInfo(unheard.reduce(withEntry, record)), entries };
    },

    async append(session, body) {
      const record = await records.kept(session);
      const entry = await log.append({ ...record, session }, body);
      if (await records.change(record, (one) => withEntry(one, entry))) return entry;
      await log.take(record.log, entry);
      throw notKept(session);
    },

    async info(session) {
      const record = await records.find(session);
      return record && toInfo(record);
    },

    async list({ workspace, limit } = {}) {
      const all = (await records.list()).toSorted(byLastUse);
      const wanted = all.filter((one) => workspace === undefined || one.workspace === workspace);
      return wanted.slice(0, limit).map(toInfo);
    },

    async entries(session) {
      const record = await records.find(session);
      return record === undefined ? [] : log.read({ ...record, session });
    },

    async fork(session, { at } = {}) {
      const record = await records.kept(session);
      const copied = forkable(await log.read({ ...record, session }, placeOf(at)), at);
      const forked = forkedRecord(record, copied);
      const until = at === undefined ? Number.POSITIVE_INFINITY : (copied.at(-1)?.at ?? 0);
      // Nobody finds these before their record is there.
      await copyMemory(collections, { from: session, to: forked.id, until });
      for (const entry of copied) await log.write(forked.log, entry);
      await records.add(forked);
      return toInfo(forked);
    },

    async delete(session) {
      const record = await records.get(session).catch(() => undefined);
      if (record === undefined) return records.forget(session);
      await forgetMemory(collections, session);
      await remove(record, records, log);
      return record.isDeleted !== true;
    },
  };
}

function byLastUse(left: SessionRecord, right: SessionRecord): number {
  return right.updatedAt - left.updatedAt || right.createdAt - left.createdAt;
}

/** Entries after the place are not read: they may be the reason for the fork. */
function placeOf(at: number | undefined): number | undefined {
  return at !== undefined && Number.isInteger(at) && at >= 0 ? at : undefined;
}

async function remove(record: SessionRecord, records: SessionRecords, log: SessionLog): Promise<void> {
  // Marked first: whoever ends in the middle of it leaves a session that nobody takes up half.
  await records.change(record, (one) => ({ ...one, isDeleted: true }));
  await log.clear(record);
  await records.drop(record);
}
