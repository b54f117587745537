import type { Approval, Approver } from "../../../core/approval.ts";

/** Returns an approver that asks all of them at once. The first answer counts and aborts the others. */
export function firstAnswer(approvers: readonly Approver[]): Approver {
  return {
    async ask(request, signal) {
      const settled = new AbortController();
      const shared = AbortSignal.any([signal, settled.signal]);
      try {
        return await anyAnswer(approvers.map((approver) => approver.ask(request, shared)));
      } finally {
        settled.abort();
      }
    },
  };
}

/** Ignores failures as long as one answers; rejects with the first failure if all fail. */
async function anyAnswer(asked: readonly Promise<Approval>[]): Promise<Approval> {
  try {
    return await Promise.any(asked);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}
