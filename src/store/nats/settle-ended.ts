import type { CallRecord } from "../../core/store/journal.ts";
import { interruptedRow } from "../journal/interrupted-answer.ts";
import type { StoredRow } from "./call-writer.ts";
import type { LastValue, LastValues } from "./last-values.ts";
import type { Owner, Owners } from "./owners.ts";

export interface SettledCalls {
  readonly records: readonly CallRecord[];
  readonly next: number;
  readonly isEnd: boolean;
}

/** Returns the row of a call from its document. */
export function toStored({ text }: LastValue): StoredRow {
  return JSON.parse(text) as StoredRow;
}

/** Settles the open calls of owners that have ended. Several processes may do so at once: the first answer counts. */
export async function settleEnded(values: LastValues, rows: string, owners: Owners): Promise<void> {
  for (const owner of await owners.ended()) {
    await settleOwner(values, rows, owner);
    await owners.remove(owner.id);
  }
}

async function settleOwner(values: LastValues, rows: string, { id, from }: Owner): Promise<void> {
  for (const value of await values.list(`${rows}.>`, { from })) {
    const row = toStored(value);
    if (row.owner !== id || row.state !== "open") continue;
    const settled = interruptedRow({ ...row, first: row.first ?? value.sequence }, Date.now());
    await values.put(value.subject, JSON.stringify(settled), value.sequence);
  }
}
