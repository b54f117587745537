import { randomUUID } from "node:crypto";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import type { AskClient } from "../types/gateway-types.ts";
import type { CallStep, CallTurn, ResumableCalls, ResumableChannel } from "../types/server-types.ts";
import { fromForm, toForm } from "./approval-form.ts";

/** How long an outcome is stored for a client that does not come back for it. */
const STORED_MS = 10 * 60_000;

interface Question {
  readonly request: ApprovalRequest;
  readonly settle: (approval: Approval) => void;
}

interface Pending<T> {
  readonly fingerprint: string;
  readonly controller: AbortController;
  readonly outcome: Promise<T>;
  readonly questions: Question[];
  /** Called when a question is added. */
  wake: () => void;
  channel: CallTurn["channel"];
}

/** Stores calls at their questions until the client comes back with an answer. */
export function createResumableCalls<T>(): ResumableCalls<T> {
  const waiting = new Map<string, Pending<T>>();

  const next = async (pending: Pending<T>, { signal, channel }: CallTurn): Promise<CallStep<T>> => {
    pending.channel = channel;
    const cancel = (): void => pending.controller.abort();
    signal.addEventListener("abort", cancel, { once: true });
    const ended = await endOrQuestion(pending);
    signal.removeEventListener("abort", cancel);
    const [question] = pending.questions;
    if (ended !== undefined || question === undefined) return ended ?? { outcome: await pending.outcome };
    const state = randomUUID();
    waiting.set(state, pending);
    void pending.outcome.then(() => setTimeout(() => waiting.delete(state), STORED_MS).unref());
    return { form: toForm(question.request), state };
  };
  return {
    start(turn, run) {
      const pending = startPending(turn, run);
      return next(pending, turn);
    },
    resume(turn, state, answer) {
      const pending = waiting.get(state);
      if (pending === undefined || pending.fingerprint !== turn.fingerprint) return undefined;
      waiting.delete(state);
      const question = answer === undefined ? undefined : pending.questions.shift();
      if (question !== undefined && answer !== undefined) question.settle(fromForm(question.request, answer));
      return next(pending, turn);
    },
    close() {
      for (const { controller } of waiting.values()) controller.abort();
      waiting.clear();
    },
  };
}

function startPending<T>(turn: CallTurn, run: (channel: ResumableChannel) => Promise<T>): Pending<T> {
  const controller = new AbortController();
  const questions: Question[] = [];
  const ask: AskClient = (request, signal) =>
    new Promise((settle) => {
      const question = { request, settle };
      questions.push(question);
      pending.wake();
      signal.addEventListener("abort", () => {
        questions.splice(questions.indexOf(question) >>> 0, 1);
        settle({ approved: false, reason: "the question was withdrawn" });
      });
    });
  const channel: ResumableChannel = {
    controller,
    ask,
    progress: (progress) => pending.channel.progress?.(progress),
    log: (...message) => pending.channel.log(...message),
    level: turn.channel.level,
  };
  const pending: Pending<T> = {
    fingerprint: turn.fingerprint,
    controller,
    questions,
    wake: () => undefined,
    channel: turn.channel,
    outcome: Promise.resolve().then(() => run(channel)),
  };
  return pending;
}

/** Returns undefined as soon as there is a question. A question that was answered elsewhere in the meantime does not count. */
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
