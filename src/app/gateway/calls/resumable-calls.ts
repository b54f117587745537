import { randomUUID } from "node:crypto";
import { ToolError } from "../../../core/errors.ts";
import type {
  CallStep,
  CallTurn,
  ClientQuestion,
  ClientReply,
  FormAnswer,
  ResumableCalls,
  ResumableChannel,
} from "./call-types.ts";
import type { AskClient } from "../types/public-types.ts";
import { fromForm, toForm } from "./approval-form.ts";

/** How long an outcome is stored for a client that does not come back for it. */
const STORED_MS = 10 * 60_000;

interface Question {
  readonly shown: ClientQuestion;
  readonly settle: (reply: ClientReply) => void;
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
    return { ...question.shown, state };
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
      const [question] = pending.questions;
      // An answer of the other kind is none: the question is asked again.
      if (
        question !== undefined &&
        answer !== undefined &&
        "sampled" in answer === "sample" in question.shown
      ) {
        pending.questions.shift();
        question.settle(answer);
      }
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
  const put = (question: Question, signal: AbortSignal, withdrawn: () => void): void => {
    questions.push(question);
    pending.wake();
    signal.addEventListener("abort", () => {
      questions.splice(questions.indexOf(question) >>> 0, 1);
      withdrawn();
    });
  };
  const ask: AskClient = (request, signal) =>
    new Promise((resolve) => {
      const settle: Question["settle"] = (reply) => resolve(fromForm(request, reply as FormAnswer));
      const withdrawn = (): void => resolve({ approved: false, reason: "the question was withdrawn" });
      put({ shown: { form: toForm(request) }, settle }, signal, withdrawn);
    });
  const sample: ResumableChannel["sample"] = (request, signal) =>
    new Promise((resolve, reject) => {
      const settle: Question["settle"] = (reply) => "sampled" in reply && resolve(reply.sampled);
      put({ shown: { sample: request }, settle }, signal, () => reject(cancelled()));
    });
  const channel: ResumableChannel = {
    controller,
    ask,
    sample,
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

function cancelled(): ToolError {
  return new ToolError("CANCELLED", "the request to the model of the client was cancelled");
}

/** Returns undefined as soon as there is a question. A question that was answered elsewhere in the meantime does not count. */
async function endOrQuestion<T>(pending: Pending<T>): Promise<{ readonly outcome: T } | undefined> {
  const end = pending.outcome.then((outcome) => ({ outcome }));
  while (pending.questions.length === 0) {
    const question = new Promise<undefined>((resolve) => {
      pending.wake = () => resolve(undefined);
    });
    const ended = await Promise.race([end, question]);
    if (ended !== undefined) return ended;
  }
  return undefined;
}
