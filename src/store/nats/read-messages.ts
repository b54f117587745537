import { randomUUID } from "node:crypto";
import type { ConsumerConfig } from "@nats-io/jetstream";
import type { Msg } from "@nats-io/transport-node";
import { NANOSECONDS, type Nats } from "./nats.ts";

export interface ListedOptions {
  /** The first sequence. */
  readonly from?: number;
  /** At most this many, those with the lowest sequences. */
  readonly limit?: number;
  /** Leaves the texts empty, which costs less. */
  readonly withoutText?: boolean;
}

/** Returns the options of a consumer that reads the last value of each key. */
export function consumerOf(
  filter: string,
  { from, withoutText = false }: ListedOptions,
): Partial<ConsumerConfig> {
  return {
    ack_policy: "none",
    filter_subject: filter,
    headers_only: withoutText,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: 60_000 * NANOSECONDS,
    ...(from === undefined
      ? { deliver_policy: "all" }
      : { deliver_policy: "by_start_sequence", opt_start_seq: Math.max(1, from) }),
  };
}

/** How many messages one request asks for. */
const BATCH = 500;
/** How long the next message may take. */
const SILENCE_MS = 5000;

/** Reads the messages that are in the stream now through a consumer of its own. */
export async function readMessages(
  { nc, manager }: Nats,
  stream: string,
  filter: string,
  options: ListedOptions,
): Promise<readonly Msg[]> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  if (limit <= 0) return [];
  const { name, num_pending: pending } = await manager.consumers.add(stream, consumerOf(filter, options));
  const all: Msg[] = [];
  try {
    const wanted = Math.min(limit, pending);
    while (all.length < wanted) {
      const size = Math.min(BATCH, wanted - all.length);
      const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`;
      const batch = await requestBatch(nc, subject, size);
      all.push(...batch);
      // Some were replaced in the meantime: later values of them are not of this list.
      if (batch.length < size) break;
    }
  } finally {
    void manager.consumers.delete(stream, name).catch(() => undefined);
  }
  return all;
}

/** Requests messages that are there already. Rejects if they stop coming. */
function requestBatch(nc: Nats["nc"], subject: string, size: number): Promise<readonly Msg[]> {
  const messages: Msg[] = [];
  return new Promise((resolve, reject) => {
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      subscription.unsubscribe();
      if (error === undefined) resolve(messages);
      else reject(error);
    };
    const timer = setTimeout(() => finish(new Error(`no message from ${subject}`)), SILENCE_MS);
    const reply = `_INBOX.${randomUUID()}`;
    const subscription = nc.subscribe(reply, {
      callback(error, message) {
        timer.refresh();
        if (error !== null) return finish(error);
        // A status in place of a message: there are no more.
        if (message.headers !== undefined && message.headers.code > 0) return finish();
        messages.push(message);
        if (messages.length === size) finish();
      },
    });
    nc.publish(subject, JSON.stringify({ batch: size, no_wait: true }), { reply });
  });
}
