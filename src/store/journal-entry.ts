import type { JournalEntry } from "../core/journal.ts";
import type { CallRow } from "./call-row.ts";
import { alreadyAnswered, toAnswerText } from "./call-row.ts";

/** Has the next row kept. */
interface Keeping {
  readonly start: (row: CallRow) => Promise<void>;
  readonly settle: (row: CallRow) => Promise<void>;
}

/** A call's place in either journal: works out the next row and has it kept. Refuses whatever comes after the answer. */
export function createEntry(current: () => CallRow, { start, settle }: Keeping): JournalEntry {
  const open = (): CallRow => {
    const row = current();
    if (row.state !== "open") throw alreadyAnswered(row);
    return row;
  };
  return {
    start: async (effects) => start({ ...open(), effects, startedAt: Date.now() }),
    settle: async (result) => settle({ ...open(), state: "answered", answer: toAnswerText(result) }),
  };
}
