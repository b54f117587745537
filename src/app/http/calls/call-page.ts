import type { CallRecord, JournalQuery } from "../../../core/store/journal.ts";
import { ToolError } from "../../../core/errors.ts";
import { defined } from "../../../util/json/defined.ts";
import type { AnswerOf } from "../api/routes.ts";
import type { Given } from "../api/handlers.ts";
import type { CallViews } from "./call-detail.ts";
import { toCallRow } from "./call-row.ts";

/** Calls that one request searches for a text, an outcome or a tool: more would take too long. */
const SEARCHED = 20_000;

/** Returns a page of the journal. A search goes through a part of it at a time; `next` goes on there. */
export async function pageOfCalls(
  { journal, running }: Pick<CallViews, "journal" | "running">,
  query: Given<"calls">["query"],
): Promise<AnswerOf<"calls">> {
  const { limit, name, session, state, outcome, text, parent } = query;
  const before = query.before === undefined ? undefined : toPosition(query.before);
  const wanted: JournalQuery = defined({ before, name, session, state, outcome, text, parent });
  const isSearched = [name, outcome, text].some((one) => one !== undefined) || state === "answered";
  const lowest = isSearched ? (await newestBefore(journal, before)) - SEARCHED : undefined;
  const found = await journal.list({
    ...wanted,
    limit: limit + 1,
    ...(lowest !== undefined && { after: lowest }),
  });
  const calls = found.slice(0, limit);
  const isFull = found.length > limit;
  const isPartial = !isFull && lowest !== undefined && lowest > 0;
  return {
    calls: calls.map((record) => toCallRow(record, running.has(record.callId))),
    next: isFull ? nextOf(calls) : isPartial ? String(lowest + 1) : null,
    isPartial,
  };
}

/** Returns the position before which the next page begins. */
function nextOf(calls: readonly CallRecord[]): string | null {
  const last = calls.at(-1)?.position;
  return last === undefined ? null : String(last);
}

/** Returns the position of the newest call before another. */
async function newestBefore(journal: CallViews["journal"], before: number | undefined): Promise<number> {
  if (before !== undefined && before !== Number.MAX_SAFE_INTEGER) return before;
  // Calls that are not in the database yet have no position; there are few.
  const newest = await journal.list({ limit: 1, before: Number.MAX_SAFE_INTEGER });
  return newest[0]?.position ?? 0;
}

function toPosition(text: string): number {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new ToolError(
    "INVALID_INPUT",
    `before: expected the \`next\` of a page, got ${JSON.stringify(text)}`,
  );
}
