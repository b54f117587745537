import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type Json } from "../../core/json.ts";
import { maxPayload, WRONG_SEQUENCE } from "../../store/nats/nats.ts";
import { attempt } from "../../util/async/attempt.ts";
import type { FleetConnection } from "./connect.ts";
import { StreamRefusal } from "./publisher.ts";
import type { FleetStreams } from "./streams.ts";
import type { StoredAnswer, StoredState } from "./wire.ts";

/** A message of the answer stream with its sequence number. */
export interface ReadState {
  readonly sequence: number;
  /** As it is stored. */
  readonly sealed: string;
  /** Undefined if it is not what an engine or a worker with the key has written. */
  readonly state: StoredState | undefined;
}

/** The answers of a namespace, and the marks of calls that have started. */
export type Answers = ReturnType<typeof openAnswers>;

const RETRY_MS = 100;
const EXPECTED = "Nats-Expected-Last-Subject-Sequence";

/** Tries work again until it succeeds. */
export type Insist = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates an `Insist` that gives up after a time, and when the signal aborts or the connection is closed. */
export function createInsist(
  { nc }: FleetConnection,
  signal: AbortSignal,
  timeoutMs = Number.POSITIVE_INFINITY,
): Insist {
  return async (work) => {
    const endsAt = performance.now() + timeoutMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || nc.isClosed() || performance.now() > endsAt) throw error;
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  };
}

export function openAnswers(
  { nc, publisher, names, packages, manager, payloads, seals }: FleetStreams,
  insist: Insist,
) {
  const seal = (key: string, state: StoredState): string => seals.seal("answer", key, JSON.stringify(state));
  /** Returns the state in a sealed text of a key, or undefined if there is none. */
  const unseal = (key: string, sealed: string): StoredState | undefined => {
    const body = seals.unseal("answer", key, sealed);
    const state = body === undefined ? undefined : attempt(() => JSON.parse(body) as Json);
    return isObject(state) ? (state as unknown as StoredState) : undefined;
  };
  return {
    seal,
    /** Returns the last message of a key. Tries again while no server answers. */
    read: (key: string): Promise<ReadState | undefined> =>
      insist(async () => {
        const last_by_subj = names.answerSubject(key);
        const stored = await manager.streams.getMessage(names.answers, { last_by_subj });
        if (stored === null) return undefined;
        const sealed = stored.string();
        return { sequence: stored.seq, sealed, state: unseal(key, sealed) };
      }),
    /**
     * Stores a sealed state if the last message of the key has the expected sequence number, 0 for none. Returns its number, or undefined if there is
     * another message. Tries again while no server answers. An engine that waits receives the confirmation too.
     */
    async write(key: string, sealed: string, expected: number, engine?: string): Promise<number | undefined> {
      let body = sealed;
      if (body.length * 3 > maxPayload(nc) && Buffer.byteLength(body) > maxPayload(nc)) {
        const bytes = Buffer.from(body);
        // Of two workers that answer, one is late: it must not replace the text of the other.
        const object = `answer-${randomUUID()}`;
        await insist(() => payloads.putBlob({ name: object }, bytes));
        body = seal(key, { state: "answered", object });
      }
      return insist(async () => {
        try {
          const headers = packages.transport.headers();
          headers.set(EXPECTED, String(expected));
          const options = engine === undefined ? { headers } : { headers, waiter: { engine, key } };
          return (await publisher.publish(names.answerSubject(key), body, options)).seq;
        } catch (error) {
          if (error instanceof StreamRefusal && WRONG_SEQUENCE.has(error.code)) return undefined;
          throw error;
        }
      });
    },
    /** Returns an answer with its result, which may be in the object store; undefined if it is none of a holder of the key. */
    async load(key: string, sealed: string): Promise<StoredAnswer | undefined> {
      const state = unseal(key, sealed);
      if (state?.state !== "answered") return undefined;
      if (!("object" in state)) return state;
      const bytes = await insist(() => payloads.getBlob(state.object));
      const whole = bytes === null ? undefined : unseal(key, Buffer.from(bytes).toString("utf8"));
      return whole?.state === "answered" && !("object" in whole) ? whole : undefined;
    },
  };
}
