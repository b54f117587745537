import type { JournalEntry } from "../../core/store/journal.ts";
import { alreadyAnswered, toAnswerText, type CallRow } from "./call-row.ts";

/** Creates the entry of a call: computes the next row and saves it. Throws after the answer. */
export function createEntry(
  current: () => CallRow,
  save: (row: CallRow) => undefined | Promise<void>,
): JournalEntry {
  const open = (): CallRow => {
    const row = current();
    if (row.state !== "open") throw alreadyAnswered(row);
    return row;
  };
  return {
    start: (effects) => save({ ...open(), effects, startedAt: Date.now() }),
    settle: (result) => save({ ...open(), state: "answered", answer: toAnswerText(result) }),
  };
}
