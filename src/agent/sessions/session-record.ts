import { randomUUID } from "node:crypto";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../tools/shared/document-reader.ts";
import { shortened } from "../../util/text/shortened.ts";
import type { Entry, NewSession, SessionInfo } from "./transcript.ts";
import { contentText } from "../../util/text/content-text.ts";

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

export function newRecord(session: NewSession): SessionRecord {
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
export const toRecord = createDocumentReader<SessionRecord>(
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
  const text = contentText(entry.message.content, " ").trim();
  const [line = ""] = text.split(/\r\n|[\n\r\u2028\u2029]/, 1);
  return shortened(line.trim(), MAX_TITLE_CHARACTERS);
}
