import type { MsgHdrs, NatsConnection, Payload } from "@nats-io/transport-node";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";

/** The confirmation that a stream has stored a message. */
export interface Stored {
  readonly seq: number;
  readonly duplicate?: boolean;
}

/** A stream has refused a message; `code` is JetStream's. */
export class StreamRefusal extends Error {
  readonly code: number;

  constructor(code: number, description: string) {
    super(description);
    this.code = code;
  }
}

/** Publishes to streams: rejects with `StreamRefusal`, or `UNAVAILABLE` if no stream confirms. */
export interface Publisher {
  readonly publish: (subject: string, body: Payload, headers?: MsgHdrs) => Promise<Stored>;
  close(): void;
}

interface Pending {
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: Error) => void;
  readonly endsAt: number;
}

const TIMEOUT_MS = 2000;

/** Opens a publisher with one subscription for all confirmations; the client's own makes two errors with stacks for each message. */
export function openPublisher(nc: NatsConnection, inbox: string): Publisher {
  const pending = new Map<string, Pending>();
  let last = 0;
  const subscription = nc.subscribe(`${inbox}.*`, {
    callback(_error, message) {
      const id = message.subject.slice(inbox.length + 1);
      const of = pending.get(id);
      if (of === undefined) return;
      pending.delete(id);
      if (message.data.length === 0) return of.reject(unconfirmed("no server has the stream"));
      const answer = message.json<Json>();
      const error = isObject(answer) ? answer["error"] : null;
      if (!isObject(error)) return of.resolve(answer as unknown as Stored);
      of.reject(new StreamRefusal(Number(error["err_code"]), JSON.stringify(error["description"])));
    },
  });
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [id, { reject, endsAt }] of pending) {
      if (endsAt > now) break;
      pending.delete(id);
      reject(unconfirmed("no server answered"));
    }
  }, TIMEOUT_MS / 8);
  sweep.unref();
  return {
    publish: (subject, body, headers) =>
      new Promise((resolve, reject) => {
        const id = (last += 1).toString(36);
        pending.set(id, { resolve, reject, endsAt: performance.now() + TIMEOUT_MS });
        const reply = `${inbox}.${id}`;
        nc.publish(subject, body, headers === undefined ? { reply } : { reply, headers });
      }),
    close() {
      clearInterval(sweep);
      subscription.unsubscribe();
      for (const { reject } of pending.values()) reject(unconfirmed("the connection is closed"));
      pending.clear();
    },
  };
}

function unconfirmed(why: string): ToolError {
  return new ToolError("UNAVAILABLE", `the fleet did not store a message: ${why}`);
}
