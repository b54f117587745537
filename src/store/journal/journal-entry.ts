import type { JournalEntry } from "../../core/store/journal.ts";
import type { CallRow } from "./call-row.ts";
import { alreadyAnswered, toAnswerText } from "./call-row.ts";

/** A call's place in either journal: works out the next row and has it kept. Refuses whatever comes after the answer. */
export function createEntry(
  current: () => CallRow,
  keep: (row: CallRow) => undefined | Promise<void>,
): JournalEntry {
  const open = (): CallRow => {
    const row = current();
    if (row.state !== "open") throw alreadyAnswered(row);
    return row;
  };
  return {
    start: (effects) => keep({ ...open(), effects, startedAt: Date.now() }),
    settle: (result) => keep({ ...open(), state: "answered", answer: toAnswerText(result) }),
  };
}
