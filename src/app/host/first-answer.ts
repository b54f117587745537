import type { Approval, Approver } from "../../core/approval.ts";

/** Asks all of them at once; the first answer is the one, and the others need not answer any more. */
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

/** One that fails leaves the answer to the others; where all fail, that is the failure. */
async function anyAnswer(asked: readonly Promise<Approval>[]): Promise<Approval> {
  try {
    return await Promise.any(asked);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}
