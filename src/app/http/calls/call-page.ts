import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { ToolError } from "../../../core/errors.ts";
import { defined } from "../../../util/json/defined.ts";
import type { AnswerOf, Given } from "../api/routes.ts";
import type { CallViews } from "./call-detail.ts";
import { toCallRow } from "./call-row.ts";

/** Positions that the first step of a search covers: few, because other requests wait during a step. */
const FIRST_STEP = 5000;
/** A step of this time is followed by one of the same size, a shorter one by a larger. */
const STEP_MS = 20;
/** A page is returned after this time with what was found; `next` goes on there. */
const SEARCH_MS = 150;

/** Returns a page of the journal. A search that takes long goes through a part of it; `next` goes on there. */
export async function pageOfCalls(
  { journal, running }: Pick<CallViews, "journal" | "running">,
  workspace: string | undefined,
  query: Given<"calls">["query"],
): Promise<AnswerOf<"calls">> {
  const { limit, name, session, state, outcome, text, parent, all } = query;
  const before = query.before === undefined ? undefined : toPosition(query.before);
  const folder = all || session !== undefined || parent !== undefined ? undefined : workspace;
  const wanted: JournalQuery = defined({ before, name, session, folder, state, outcome, text, parent });
  const { found, lowest } = await search(journal, wanted, limit + 1);
  const calls = found.slice(0, limit);
  const isFull = found.length > limit;
  return {
    calls: calls.map((record) => toCallRow(record, running.has(record.callId))),
    next: isFull ? String(calls.at(-1)?.position) : lowest >= 0 ? String(lowest + 1) : null,
    isPartial: !isFull && lowest >= 0,
  };
}

/** Goes back through the journal in steps until it has found `limit` calls, or for some time. `lowest` is the position that it has reached, -1 at the end. */
async function search(
  journal: Journal,
  wanted: JournalQuery,
  limit: number,
): Promise<{ readonly found: readonly CallRecord[]; readonly lowest: number }> {
  const beganAt = performance.now();
  const found: CallRecord[] = [];
  let { before } = wanted;
  let [step, lowest] = [FIRST_STEP, await newestBefore(journal, before)];
  while (lowest >= 0 && found.length < limit && performance.now() - beganAt < SEARCH_MS) {
    const steppedAt = performance.now();
    lowest = Math.max(-1, lowest - step);
    const query = { ...wanted, ...defined({ before }), after: lowest, limit: limit - found.length };
    found.push(...(await journal.list(query)));
    before = lowest + 1;
    if (performance.now() - steppedAt < STEP_MS) step *= 2;
  }
  return { found, lowest };
}

/** Returns the position of the newest call before another. */
async function newestBefore(journal: Journal, before: number | undefined): Promise<number> {
  if (before !== undefined && before !== UNPLACED) return before;
  const [newest] = await journal.list({ limit: 1, ...defined({ before }) });
  if (newest?.position !== UNPLACED) return newest?.position ?? -1;
  // Calls that are not in the database yet come before all that are; there are few.
  const [placed] = await journal.list({ limit: 1, before: UNPLACED });
  return placed?.position ?? 0;
}

/** The position of calls that are not in the database yet. */
const UNPLACED = Number.MAX_SAFE_INTEGER;

function toPosition(text: string): number {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new ToolError(
    "INVALID_INPUT",
    `before: expected the \`next\` of a page, got ${JSON.stringify(text)}`,
  );
}
