import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { callKey } from "../../../util/text/call-key.ts";

/** Open calls that are watched at a time. */
const MOST_OPEN = 1000;

/**
 * Creates a function that returns the calls which began or ended since it last ran, oldest first: at first, those that are open.
 * A call that it returns as open is returned again when it has ended. `isWatched` is false for calls to leave out.
 */
export function watchCalls(
  journal: Journal,
  query: JournalQuery = {},
  isWatched: (call: CallRecord) => boolean = () => true,
): () => Promise<readonly CallRecord[]> {
  let newest: number | undefined;
  let open = new Set<string>();
  /** The calls that were returned before the database had them, and may appear again. */
  let unplaced = new Set<string>();
  return async () => {
    const running = await journal.list({ ...query, state: "open", limit: MOST_OPEN });
    const begun = await journal.list(
      newest === undefined ? { before: UNPLACED, limit: 1 } : { ...query, after: newest },
    );
    const now = new Set(running.filter(isWatched).map(({ callId }) => callId));
    const ended = [...open].filter((callId) => !now.has(callId));
    const changed = await Promise.all(ended.map((callId) => journal.list({ callId, limit: 1 })));
    const isFirst = newest === undefined;
    newest = begun.reduce(
      (highest, { position }) => (position === UNPLACED ? highest : Math.max(highest, position)),
      newest ?? -1,
    );
    const records = [
      ...running.filter(({ callId }) => !open.has(callId)),
      ...(isFirst ? [] : begun),
      ...changed.flat(),
    ].filter(isWatched);
    const fresh = new Map(records.map((call) => [callKey(call), call]));
    for (const [key, { callId }] of fresh) {
      const isKnown = open.has(callId) && now.has(callId);
      if (isKnown || unplaced.has(key)) fresh.delete(key);
    }
    // It ended between the two lists.
    for (const { callId, state } of fresh.values()) if (state !== "open") now.delete(callId);
    open = now;
    unplaced = new Set(
      records.filter(({ position, state }) => position === UNPLACED && state !== "open").map(callKey),
    );
    return [...fresh.values()].toSorted((left, right) => left.receivedAt - right.receivedAt);
  };
}

/** The position of calls that are not in the database yet. */
export const UNPLACED = Number.MAX_SAFE_INTEGER;
