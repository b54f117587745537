import type { ObjectStore } from "@nats-io/obj";
import type { JsonObject } from "../../../core/json.ts";
import { HOST } from "../../../core/spec.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { runCall } from "../../run-call.ts";
import { MAX_TIMEOUT_MS } from "../../wire.ts";
import type { Delivery } from "./pull.ts";
import { createSentArtifacts } from "../sent-artifacts.ts";
import type { JobHead, SealedNotice } from "../wire.ts";

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
  const sessions = closeIdleSessions(engine);
  return {
    /** Runs a call that an engine has allowed; progress goes to that engine, in order. `artifacts` are names in the object store. */
    async run({ head, delivery, controller }: RunningJob, input: Uint8Array, attempt: number) {
      const { key, engine: sender, isGuarded } = head;
      const session = sessionOf(head);
      const sent = createSentArtifacts(payloads);
      const params = JSON.parse(Buffer.from(input).toString("utf8")) as JsonObject;
      // The engine cancels the call at its deadline, too, unless it is gone.
      const timeout = timeLeft(head, delivery.storedAt, serverNow());
      const leave = sessions.enter(session);
      const result = await runCall(
        engine,
        { ...head, session, params, timeout_ms: timeout },
        {
          signal: controller.signal,
          // The engine that signed the call has judged it, by a rule or a proof, or by a person or the mode that a person chose.
          // What this worker's own policy denies stays denied.
          approvedBy: isGuarded === true ? "engine" : "person",
          maxBytes: UNCUT,
          // A tool that engines send to the fleet runs here.
          ...(engine.get(head.tool)?.place === "fleet" && { place: HOST }),
          context: [sent.artifacts],
          onProgress: (progress) => notify(sender, { key, type: "progress", attempt, progress }),
        },
      );
      leave();
      return { result, artifacts: await sent.finish() };
    },
    close: sessions.close,
  };
}

/**
 * Returns the session on this worker. Calls without a session share one with the others of their engine: a terminal or a browser of
 * another engine is not theirs. A named session goes on wherever it is resumed, so that its name alone counts; one that is named
 * like an engine's gets a prefix.
 */
export function sessionOf({ session, engine }: Pick<JobHead, "session" | "engine">): string {
  if (session === "") return `engine ${engine}`;
  return /^(?:engine|named) /.test(session) ? `named ${session}` : session;
}

/** Closes the sessions of an engine that no call has used for a while. */
function closeIdleSessions(engine: Engine) {
  const sessions = new Map<string, { running: number; usedAt: number }>();
  const sweep = setInterval(() => {
    for (const [id, { running, usedAt }] of sessions) {
      if (running > 0 || performance.now() - usedAt < SESSION_IDLE_MS) continue;
      sessions.delete(id);
      void engine.session(id).close();
    }
  }, SESSION_IDLE_MS / 15);
  sweep.unref();
  return {
    /** Returns a function that ends the use. */
    enter(id: string): () => void {
      const use = sessions.get(id) ?? { running: 0, usedAt: 0 };
      sessions.set(id, use);
      use.running += 1;
      return () => {
        use.running -= 1;
        use.usedAt = performance.now();
      };
    },
    close: (): void => clearInterval(sweep),
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
