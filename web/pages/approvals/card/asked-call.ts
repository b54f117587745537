import { useRead } from "../../../api/queries.ts";
import type { Call, CallDetail } from "../../../ui/values/call-bits.tsx";
import type { Pending, TracedAnswer } from "./pending.ts";

type Asked = Pick<Pending, "askedAt"> & { readonly request: Pick<Pending["request"], "callId" | "session"> };

/** Reads the call that waited for an approval, and the answer that it has. */
export function useAskedCall(
  pending: Asked,
  { isEnabled }: { readonly isEnabled: boolean },
): { readonly call: Call | undefined; readonly traced: TracedAnswer | undefined } {
  const { callId } = pending.request;
  const newest = useRead("call", { callId }, { isEnabled }).data;
  const call = newest && callOf(pending, [newest.call, ...newest.others]);
  const at = call?.receivedAt ?? 0;
  const { data } = useRead("call", { callId, at }, { isEnabled: isEnabled && call !== undefined });
  return { call: data?.call ?? call, traced: answerOf(pending, data?.approval ?? null) };
}

/** Returns the call that an approval is about: ids repeat, so that its session and the time decide. */
export function callOf({ askedAt, request: { session } }: Asked, calls: readonly Call[]): Call | undefined {
  return calls
    .filter((call) => call.session === (session ?? null) && call.receivedAt <= askedAt)
    .toSorted((left, right) => right.receivedAt - left.receivedAt)[0];
}

/** Returns the answer of a call if it is the one to this approval; undefined if it waits, or has another. */
export function answerOf({ askedAt }: Asked, approval: CallDetail["approval"]): TracedAnswer | undefined {
  if (approval === null || approval.approved === null || approval.answeredAt === null) return undefined;
  // The engine notes the time before it asks; the queue, as the request is stored.
  const isThis = approval.askedAt <= askedAt && askedAt <= approval.answeredAt;
  return isThis ? { approved: approval.approved, by: approval.by } : undefined;
}
