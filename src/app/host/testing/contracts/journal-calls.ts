import type { Success } from "../../../../core/result.ts";
import type { Journal, ReceivedCall } from "../../../../core/store/journal.ts";

/** Opens an empty journal, which is closed at the end of the test. */
export type OpenJournal = () => Promise<AsyncDisposable & { readonly journal: Journal }>;

/** A call as a journal receives it. */
export function call(callId: string, parts: Partial<ReceivedCall> = {}): ReceivedCall {
  return { callId, name: "add", input: { left: 1, right: 2 }, session: undefined, receivedAt: 1, ...parts };
}

/** The answer of a call. */
export function answer(callId: string, text: string): Success {
  return {
    callId,
    name: "add",
    ok: true,
    content: [{ type: "text", text }],
    meta: { startedAt: 1, durationMs: 2, place: "host", attempts: 1, source: "test" },
  };
}

/** Starts a call, waits and answers it up to twice, as the digits of a number say. Returns how many answers were accepted: the first, if there is one. */
export async function runPlan(journal: Journal, id: string, plan: number): Promise<number> {
  const entry = journal.receive(call(id));
  const started = plan % 2 === 1 ? entry.start("idempotent") : undefined;
  if (plan % 4 > 1) await started;
  const settling = Array.from({ length: Math.floor(plan / 4) % 3 }, async () => entry.settle(answer(id, id)));
  const [outcomes] = await Promise.all([Promise.allSettled(settling), started]);
  const accepted = outcomes.filter(({ status }) => status === "fulfilled").length;
  if (accepted !== Math.min(settling.length, 1))
    throw new Error(`${accepted} of ${settling.length} answers were accepted`);
  return accepted;
}
