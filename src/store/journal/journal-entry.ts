import type { JournalEntry } from "../../core/store/journal.ts";
import type { JsonObject } from "../../core/json.ts";
import { alreadyAnswered, outcomeOf, toAnswerText, type CallRow } from "./call-row.ts";

/** The token of a suspended call: the number of its row, and a secret that its details contain. */
export function createToken(row: number, secret: string): string {
  return `${row}-${secret}`;
}

export function readToken(token: string): { readonly row: number; readonly secret: string } | undefined {
  const [, row, secret] = /^(\d{1,15})-([0-9a-f-]{36})$/.exec(token) ?? [];
  return row === undefined || secret === undefined ? undefined : { row: Number(row), secret };
}

/** Creates the entry of a call: computes the next row and saves it. Throws after the answer. */
export function createEntry(
  current: () => CallRow,
  save: (row: CallRow) => undefined | Promise<void>,
  suspend: (row: CallRow, details: JsonObject) => Promise<string>,
): JournalEntry {
  const open = (): CallRow => {
    const row = current();
    if (row.state !== "open") throw alreadyAnswered(row);
    return row;
  };
  return {
    start: (effects) => save({ ...open(), effects, startedAt: Date.now() }),
    suspend: async (details) => suspend(open(), details),
    settle: (result, trace) =>
      save({
        ...open(),
        state: "answered",
        answer: toAnswerText(result, trace),
        outcome: outcomeOf(result),
      }),
  };
}
