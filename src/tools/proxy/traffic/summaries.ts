import { integer, nullable, object, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { Collection } from "../../../core/store/collection.ts";
import { createSerializer } from "../../../util/async/serialize.ts";

/** What the list of requests shows and filters by, of one request. */
export const requestSummary = object({
  id: string(),
  // Milliseconds since 1970.
  at: integer(),
  method: string(),
  scheme: string(),
  host: string(),
  port: integer(),
  path: string(),
  // Without the question mark.
  query: string(),
  // Null if no response was received.
  status: nullable(integer()),
  // The media type of the response.
  type: string(),
  sent: integer(),
  received: integer(),
  ms: integer(),
  // The tool that sent it, if it was not a program behind the proxy.
  by: optional(string()),
  error: optional(string()),
});

export type RequestSummary = Infer<typeof requestSummary>;

const KEY_DIGITS = 9;

/** Keys are ordered as their numbers are. */
export function keyOf(number: number): string {
  return String(number).padStart(KEY_DIGITS, "0");
}

/** The summaries of a session. */
export type Summaries = ReturnType<typeof createSummaries>;

/**
 * Holds the summaries in memory, so that a list reads only what is new. Other processes may add some, one number after the other, and
 * the store drops the oldest; none ever changes.
 */
export function createSummaries(collection: Collection) {
  const serialize = createSerializer();
  let known: RequestSummary[] | undefined;
  let last = 0;
  const push = (all: RequestSummary[], summary: RequestSummary): void => {
    all.push(summary);
    last = numberOf(summary);
  };
  const read = async (number: number): Promise<RequestSummary | undefined> =>
    (await collection.get(keyOf(number))) as RequestSummary | undefined;
  const load = async (): Promise<RequestSummary[]> => {
    const all: RequestSummary[] = [];
    for (const { value } of await collection.list()) push(all, value as RequestSummary);
    return all;
  };
  /** Returns what is known after reading what other processes have added. */
  const current = async (): Promise<RequestSummary[]> => {
    known ??= await load();
    for (let next = await read(last + 1); next !== undefined; next = await read(last + 1)) push(known, next);
    return known;
  };
  /** Searches by halves, after a look at the oldest: what was dropped is older than everything else. */
  const countDropped = async (all: readonly RequestSummary[]): Promise<number> => {
    let [low, high] = [0, all.length];
    for (let at = 0; low < high; at = (low + high) >> 1) {
      const summary = all[at];
      if (summary === undefined || (await read(numberOf(summary))) !== undefined) high = at;
      else low = at + 1;
    }
    return low;
  };
  return {
    /** Returns the summaries, oldest first. */
    list: (): Promise<readonly RequestSummary[]> =>
      serialize(async () => {
        const all = await current();
        all.splice(0, await countDropped(all));
        return [...all];
      }),
    /** Stores a summary under the next number that no process has used in this session. */
    add: (summary: Omit<RequestSummary, "id">): Promise<RequestSummary> =>
      serialize(async () => {
        for (;;) {
          const all = await current();
          const added = { id: `r${last + 1}`, ...summary };
          let isTaken = false;
          await collection.update(keyOf(last + 1), (other) => {
            isTaken = other !== undefined;
            return other ?? added;
          });
          if (isTaken) continue;
          push(all, added);
          return added;
        }
      }),
  };
}

function numberOf({ id }: RequestSummary): number {
  return Number(id.slice(1));
}
