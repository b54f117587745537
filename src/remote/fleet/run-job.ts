import type { ObjectStore } from "@nats-io/obj";
import { provide } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { ArtifactsKey } from "../../core/store/artifacts.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { MAX_TIMEOUT_MS } from "../wire.ts";
import type { Delivery } from "./pull.ts";
import { createSentArtifacts } from "./sent-artifacts.ts";
import type { JobHead, SealedNotice } from "./wire.ts";

/** A call on this worker. */
export interface RunningJob {
  readonly head: JobHead;
  /** The latest one: an earlier one no longer counts. */
  delivery: Delivery;
  readonly controller: AbortController;
  /** True if the worker ends before the call. */
  isAbandoned: boolean;
}

export type Runner = ReturnType<typeof createRunner>;

/** Terminals and processes of a session end after this time without a call. */
const SESSION_IDLE_MS = 15 * 60_000;
/** The engine that sent the call cuts its answer. */
const UNCUT = Number.MAX_SAFE_INTEGER;

/** Creates the runner of a worker, whose engine checks the input against the schema and runs it in the worker's own sandbox. */
export function createRunner(
  engine: Engine,
  payloads: ObjectStore,
  notify: (engineId: string, notice: SealedNotice) => void,
  serverNow: () => number,
) {
  const attempts = new Map<string, { readonly head: JobHead; readonly attempt: number }>();
  const sessions = new Map<string, number>();
  const stop = engine.on(
    ({ callId, session, progress }) => {
      const of = attempts.get(nameOf(session ?? "", callId));
      if (of === undefined) return;
      const { head, attempt } = of;
      notify(head.engine, { key: head.key, type: "progress", attempt, progress });
    },
    ["call.progressed"],
  );
  const sweep = setInterval(() => {
    for (const [session, usedAt] of sessions) {
      const isUsed = attempts.values().some(({ head }) => head.session === session);
      if (isUsed || performance.now() - usedAt < SESSION_IDLE_MS) continue;
      sessions.delete(session);
      void engine.session(session).close();
    }
  }, SESSION_IDLE_MS / 15);
  sweep.unref();
  return {
    /** Runs a call that an engine has allowed; progress goes to that engine, in order. `artifacts` are names in the object store. */
    async run({ head, delivery, controller }: RunningJob, input: Uint8Array, attempt: number) {
      const { callId: id, tool: name, session } = head;
      const sent = createSentArtifacts(payloads);
      attempts.set(nameOf(session, id), { head, attempt });
      try {
        const result = await engine.run(
          { id, name, input: JSON.parse(Buffer.from(input).toString("utf8")) as JsonObject },
          {
            session,
            signal: controller.signal,
            // The engine that signed the call has judged it, by a rule or a proof, or by a person or the mode that a person chose.
            // What this worker's own policy denies stays denied.
            approvedBy: head.isGuarded === true ? "engine" : "person",
            fence: false,
            maxBytes: UNCUT,
            // The engine cancels the call at its deadline, too, unless it is gone.
            timeoutMs: timeLeft(head, delivery.storedAt, serverNow()),
            context: [provide(ArtifactsKey, sent.artifacts)],
          },
        );
        return { result, artifacts: await sent.finish() };
      } finally {
        attempts.delete(nameOf(session, id));
        sessions.set(session, performance.now());
      }
    },
    close(): void {
      stop();
      clearInterval(sweep);
    },
  };
}

/** Returns how many milliseconds a call may still run. Only times of one clock are compared: that of the engine may differ. */
export function timeLeft(
  { issuedAt, expiresAt }: Pick<JobHead, "issuedAt" | "expiresAt">,
  storedAt: number,
  serverNow: number,
): number {
  const left = expiresAt - issuedAt - (serverNow - storedAt);
  return Math.min(Math.max(1, left), MAX_TIMEOUT_MS);
}

const nameOf = (session: string, callId: string): string => `${session}\n${callId}`;
