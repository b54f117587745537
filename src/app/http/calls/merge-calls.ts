import type { CallRecord } from "../../../core/store/journal.ts";
import { callKey } from "../../../util/text/call-key.ts";

/** Merges lists of calls, each newest first, up to a limit. A call that several lists have is returned as the first of them has it. `taken` is how many of each list are returned, or are copies of those. */
export function mergeCalls(
  lists: readonly (readonly CallRecord[])[],
  limit: number,
): { readonly calls: readonly CallRecord[]; readonly taken: readonly number[] } {
  const calls = new Map<string, CallRecord>();
  const taken = lists.map(() => 0);
  const headOf = (index: number): CallRecord | undefined => lists[index]?.[taken[index] ?? 0];
  for (;;) {
    const newest = indexOfNewest(lists.map((_, index) => headOf(index)));
    const head = newest === undefined ? undefined : headOf(newest);
    if (newest === undefined || head === undefined) break;
    const key = callKey(head);
    if (!calls.has(key) && calls.size === limit) break;
    if (!calls.has(key)) calls.set(key, head);
    taken[newest] = (taken[newest] ?? 0) + 1;
  }
  return { calls: [...calls.values()], taken };
}

/** Returns the place of the newest call; of equal ones, the first. */
function indexOfNewest(heads: readonly (CallRecord | undefined)[]): number | undefined {
  let newest: number | undefined;
  for (const [index, head] of heads.entries())
    if (head !== undefined && head.receivedAt > (heads[newest ?? -1]?.receivedAt ?? -1)) newest = index;
  return newest;
}
