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
