import { randomBytes } from "node:crypto";
import type { Msg, MsgHdrs, NatsConnection, Payload } from "@nats-io/transport-node";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import type { Listening } from "./listen.ts";
import type { FleetNames } from "./names.ts";

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

export interface PublishOptions {
  readonly headers?: MsgHdrs;
  /** An engine that waits for a key: it receives the confirmation too. */
  readonly waiter?: { readonly engine: string; readonly key: string };
}

interface Pending {
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: Error) => void;
  readonly endsAt: number;
}

const TIMEOUT_MS = 2000;

/** Opens a publisher with one subscription for all confirmations; the client's own makes two errors with stacks for each message. */
export function openPublisher(
  nc: Pick<NatsConnection, "publish">,
  names: FleetNames,
  { listen }: Pick<Listening, "listen">,
) {
  const publisherId = randomBytes(8).toString("hex");
  const pending = new Map<string, Pending>();
  let last = 0;
  const subscription = listen(names.storedSubject(publisherId, "*", "*"), (message) => {
    const of = pending.get(message.subject);
    if (of === undefined) return;
    pending.delete(message.subject);
    const stored = readConfirmation(message);
    if (stored instanceof Error) of.reject(stored);
    else of.resolve(stored);
  });
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [reply, { reject, endsAt }] of pending) {
      if (endsAt > now) break;
      pending.delete(reply);
      reject(unconfirmed("no server answered"));
    }
  }, TIMEOUT_MS / 8);
  sweep.unref();
  return {
    id: publisherId,
    /** Publishes to a stream, or sends a request to its API: rejects with `StreamRefusal`, or `UNAVAILABLE` if no stream confirms. */
    publish: (subject: string, body: Payload, { headers, waiter }: PublishOptions = {}): Promise<Stored> =>
      new Promise((resolve, reject) => {
        const { engine, key } = waiter ?? { engine: "none", key: (last += 1).toString(36) };
        const reply = names.storedSubject(publisherId, engine, key);
        pending.set(reply, { resolve, reject, endsAt: performance.now() + TIMEOUT_MS });
        nc.publish(subject, body, headers === undefined ? { reply } : { reply, headers });
      }),
    close(): void {
      clearInterval(sweep);
      subscription.close();
      for (const { reject } of pending.values()) reject(unconfirmed("the connection is closed"));
      pending.clear();
    },
  };
}

/** Reads the confirmation of a stream, or the error for which it stored nothing. */
export function readConfirmation(message: Msg): Stored | Error {
  if (message.data.length === 0) return unconfirmed("no server has the stream");
  const answer = attempt(() => message.json<Json>());
  if (!isObject(answer)) return unconfirmed("the confirmation cannot be read");
  const { error } = answer;
  if (!isObject(error)) return answer as unknown as Stored;
  return new StreamRefusal(Number(error["err_code"]), JSON.stringify(error["description"]));
}

function unconfirmed(why: string): ToolError {
  return new ToolError("UNAVAILABLE", `the fleet did not store a message: ${why}`);
}
