import { randomUUID } from "node:crypto";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import type { Progress } from "../../../core/context.ts";
import type { AskClient } from "./approvals.ts";
import type { ApprovalForm, FormAnswer } from "./approval-form.ts";
import { fromForm, toForm } from "./approval-form.ts";

/** Where a call is: at its end, or at a question whose answer comes with the next request. */
export type Round<T> = { readonly outcome: T } | { readonly form: ApprovalForm; readonly state: string };

export type Hear = (progress: Progress) => void;

/** One request of a call: the first, or one that brings an answer. */
export interface RoundLeg {
  /** Aborted when the client gives up this request. */
  readonly signal: AbortSignal;
  /** Hears what the call tells while this request is open. */
  readonly hear: Hear;
  /** The same for every request of one call, and for no other call. */
  readonly fingerprint: string;
}

/** Calls that go on while their client, which cannot be asked in between, comes back with an answer. */
export interface Rounds<T> {
  begin(
    leg: RoundLeg,
    run: (ask: AskClient, signal: AbortSignal, hear: Hear) => Promise<T>,
  ): Promise<Round<T>>;
  /** Undefined for a state that is unknown, was used before or belongs to another call; without an answer the question is asked again. */
  resume(leg: RoundLeg, state: string, answer: FormAnswer | undefined): Promise<Round<T>> | undefined;
  /** Ends every call that waits for its client. */
  close(): void;
}

/** How long an outcome is kept for a client that does not come back for it. */
const KEPT_MS = 10 * 60_000;

interface Question {
  readonly request: ApprovalRequest;
  readonly settle: (approval: Approval) => void;
}

interface Pending<T> {
  readonly fingerprint: string;
  readonly controller: AbortController;
  readonly outcome: Promise<T>;
  readonly questions: Question[];
  /** Called when there is a question again. */
  wake: () => void;
  hear: Hear;
}

/** Undefined as soon as there is a question. One that was answered elsewhere before it was put here is none. */
async function endOrQuestion<T>(pending: Pending<T>): Promise<{ readonly outcome: T } | undefined> {
  const end = pending.outcome.then((outcome) => ({ outcome }));
  while (pending.questions.length === 0) {
    const asked = new Promise<undefined>((resolve) => {
      pending.wake = () => resolve(undefined);
    });
    const ended = await Promise.race([end, asked]);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

export function createRounds<T>(): Rounds<T> {
  const waiting = new Map<string, Pending<T>>();

  const next = async (pending: Pending<T>, { signal, hear }: RoundLeg): Promise<Round<T>> => {
    pending.hear = hear;
    const cancel = (): void => pending.controller.abort();
    signal.addEventListener("abort", cancel, { once: true });
    const ended = await endOrQuestion(pending);
    signal.removeEventListener("abort", cancel);
    const [question] = pending.questions;
    if (ended !== undefined || question === undefined) return ended ?? { outcome: await pending.outcome };
    const state = randomUUID();
    waiting.set(state, pending);
    void pending.outcome.then(() => setTimeout(() => waiting.delete(state), KEPT_MS).unref());
    return { form: toForm(question.request), state };
  };
  return {
    begin(leg, run) {
      const controller = new AbortController();
      const questions: Question[] = [];
      const ask: AskClient = (request, signal) =>
        new Promise((settle) => {
          const question = { request, settle };
          questions.push(question);
          pending.wake();
          signal.addEventListener("abort", () => {
            questions.splice(questions.indexOf(question) >>> 0, 1);
            settle({ approved: false, reason: "nobody waits for the answer any more" });
          });
        });
      const pending: Pending<T> = {
        fingerprint: leg.fingerprint,
        controller,
        questions,
        wake: () => undefined,
        hear: leg.hear,
        outcome: Promise.resolve().then(() =>
          run(ask, controller.signal, (progress) => pending.hear(progress)),
        ),
      };
      return next(pending, leg);
    },
    resume(leg, state, answer) {
      const pending = waiting.get(state);
      if (pending === undefined || pending.fingerprint !== leg.fingerprint) return undefined;
      waiting.delete(state);
      const question = answer === undefined ? undefined : pending.questions.shift();
      if (question !== undefined && answer !== undefined) question.settle(fromForm(question.request, answer));
      return next(pending, leg);
    },
    close() {
      for (const { controller } of waiting.values()) controller.abort();
      waiting.clear();
    },
  };
}
