import { ToolError } from "../../../core/errors.ts";
import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { defined } from "../../../util/json/defined.ts";
import { callKey, readCallKey } from "../../../util/text/call-key.ts";
import { workspaceSession } from "../../host/store/open-configured-store.ts";
import { shortId } from "./call-lines.ts";

/** How far back a call is looked for by a part of its id. */
const SEARCHED = 10_000;

/** Finds the call with a key, the calls with an id, or those whose id begins or ends with this text. Throws if there is none, or several ids. */
export async function findCalls(
  journal: Journal,
  id: string,
  session?: string,
): Promise<readonly CallRecord[]> {
  const filter = defined({ session });
  const key = readCallKey(id);
  const keyed = key === undefined ? [] : await journal.list({ ...filter, ...key });
  if (keyed.length > 0) return keyed;
  const exact = await journal.list({ ...filter, callId: id });
  if (exact.length > 0) return exact;
  const newest = await journal.list({ ...filter, limit: SEARCHED });
  const matches = newest.filter(
    (call) =>
      call.callId.startsWith(id) ||
      call.callId.endsWith(id) ||
      shortId(call.callId) === id ||
      callKey(call).endsWith(id),
  );
  const ids = [...new Set(matches.map(({ callId }) => callId))];
  if (ids.length === 1) return matches;
  if (ids.length > 1)
    throw new ToolError("INVALID_INPUT", `"${id}" is a part of the ids of ${matches.length} calls`, {
      hint: `write the whole id: ${ids.slice(0, 5).join(", ")}`,
    });
  throw new ToolError("INVALID_INPUT", `no stored call has the id "${id}"`, {
    hint: "toolwright trace --all lists the last calls and their ids",
  });
}

/** Returns the calls of a folder. Before them are those of earlier versions, which stored no folder: they have its session. */
export async function listIn(
  journal: Journal,
  folder: string,
  query: JournalQuery,
): Promise<readonly CallRecord[]> {
  const calls = await journal.list({ ...query, folder });
  const session = workspaceSession(folder);
  const limit = query.limit === undefined ? undefined : query.limit - calls.length;
  if (limit === 0 || (query.session ?? session) !== session) return calls;
  const before = calls.at(-1)?.position ?? query.before;
  const earlier = await journal.list({ ...query, session, ...defined({ limit, before }) });
  return [...calls, ...earlier.filter((call) => call.folder === null)];
}

/** So many calls are in memory at once: a store has a million. */
const PAGE_CALLS = 1000;

type List = (query: JournalQuery) => Promise<readonly CallRecord[]>;

/** Yields the calls of a query newest first, a page at a time. */
export async function* listPages(list: List, query: JournalQuery): AsyncIterable<readonly CallRecord[]> {
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let { before } = query;
  while (left > 0) {
    const calls = await list({ ...query, ...defined({ before }), limit: Math.min(left, PAGE_CALLS) });
    const last = calls.at(-1);
    if (last === undefined) return;
    yield calls;
    left -= calls.length;
    before = last.position;
  }
}

/**
 * Returns the queries of the pages of a query, newest first: of the same calls, also if others are recorded meanwhile; how many calls they have; and whether
 * there are more than the limit.
 */
export async function findPages(list: List, { limit, ...query }: JournalQuery & { readonly limit: number }) {
  const pages: JournalQuery[] = [];
  let count = 0;
  let isCut = false;
  for await (const calls of listPages(list, { ...query, limit: limit + 1 })) {
    const [first] = calls;
    const { length } = calls.slice(0, limit - count);
    isCut = length < calls.length;
    count += length;
    if (first !== undefined && length > 0)
      pages.push({ ...query, before: first.position + 1, limit: length });
  }
  return { pages, count, isCut };
}
