import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { maxPayload, WRONG_SEQUENCE } from "../../store/nats/nats.ts";
import type { FleetConnection } from "./connect.ts";
import { StreamRefusal } from "./publisher.ts";
import type { FleetStreams } from "./streams.ts";
import type { StoredAnswer, StoredState } from "./wire.ts";

/** A message of the answer stream with its sequence number. */
export interface ReadState {
  readonly sequence: number;
  readonly state: StoredState;
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
  { nc, publisher, names, packages, manager, payloads }: FleetStreams,
  insist: Insist,
) {
  return {
    /** Returns the last message of a key. Tries again while no server answers. */
    read: (key: string): Promise<ReadState | undefined> =>
      insist(async () => {
        const last_by_subj = names.answerSubject(key);
        const stored = await manager.streams.getMessage(names.answers, { last_by_subj });
        return stored === null ? undefined : { sequence: stored.seq, state: stored.json<StoredState>() };
      }),
    /**
     * Stores a message if the last one of the key has the expected sequence number, 0 for none. Returns its number, or undefined if there is
     * another message. Tries again while no server answers. An engine that waits receives the confirmation too.
     */
    async write(key: string, text: string, expected: number, engine?: string): Promise<number | undefined> {
      let body = text;
      if (body.length * 3 > maxPayload(nc) && Buffer.byteLength(body) > maxPayload(nc)) {
        const bytes = Buffer.from(body);
        // Of two workers that answer, one is late: it must not replace the text of the other.
        const object = `answer-${randomUUID()}`;
        await insist(() => payloads.putBlob({ name: object }, bytes));
        body = JSON.stringify({ state: "answered", object } satisfies StoredState);
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
    /** Returns a stored answer with its result, which may be in the object store. */
    async load(state: StoredState): Promise<StoredAnswer | undefined> {
      if (state.state !== "answered") return undefined;
      if (!("object" in state)) return state;
      const bytes = await insist(() => payloads.getBlob(state.object));
      return bytes === null ? undefined : (JSON.parse(Buffer.from(bytes).toString("utf8")) as StoredAnswer);
    },
  };
}
