import type { JetStreamManager } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import type { ObjectStore } from "@nats-io/obj";
import { apiCode, ensureStream, NANOSECONDS, openObjects, persist, useNats } from "../../store/nats/nats.ts";
import { defined } from "../../util/json/defined.ts";
import type { FleetConnection } from "./connect.ts";
import { openIdentity, type StreamIdentity } from "./identity.ts";
import type { Seals } from "./keys/seals.ts";
import { LANES } from "../../core/fleet-names.ts";

/** The server drops a second call with the same key within this time. */
export const DUPLICATE_MS = 120_000;
/** A call whose worker gives no sign of life for this time is delivered again. */
export const ACK_WAIT_MS = 3000;
/** How far the clocks of engines and workers may differ. */
export const CLOCK_MS = 5000;
/** Below the time above: what is delivered to a worker that is frozen is delivered again soon. */
export const PULL_EXPIRES_MS = 1000;
/** A worker is gone this long after its last advert. */
export const WORKER_TTL_MS = 6000;
const HOUR_MS = 3_600_000;
/** Longer than the longest deadline of a call. */
const KEEP_HOURS = 26;
const DEAD_HOURS = 14 * 24;
const MAX_DEAD = 100_000;
const DEFAULT_QUEUE = 10_000;
const CONSUMER_NOT_FOUND = 10_014;

/** A connection with the streams and buckets that engines and workers share. */
export interface FleetStreams extends FleetConnection {
  readonly manager: JetStreamManager;
  readonly workers: KV;
  readonly tools: KV;
  readonly limits: KV;
  readonly payloads: ObjectStore;
  readonly seals: Seals;
  readonly identity: StreamIdentity;
}

/** Opens the streams and buckets of the namespace; creates those that are missing. Waits for servers that elect a leader. */
export async function openStreams(
  connection: FleetConnection,
  seals: Seals,
  queue = DEFAULT_QUEUE,
): Promise<FleetStreams> {
  const { js, names, replicas, packages } = connection;
  const { RetentionPolicy, DiscardPolicy } = packages.jetstream;
  const nats = await useNats(connection);
  const { manager } = nats;
  const kvm = new packages.kv.Kvm(js);
  const bucket = (name: string, ttl?: number): Promise<KV> =>
    persist(() => kvm.create(name, { history: 1, replicas, ...defined({ ttl }) }));
  const [workers, tools, limits, payloads] = await Promise.all([
    bucket(names.workers, WORKER_TTL_MS),
    bucket(names.tools),
    bucket(names.limits),
    openObjects(nats, names.payloads, KEEP_HOURS * HOUR_MS),
    ensureStream(nats, names.calls, {
      subjects: [`${names.root}.call.>`],
      retention: RetentionPolicy.Workqueue,
      duplicate_window: DUPLICATE_MS * NANOSECONDS,
      max_age: KEEP_HOURS * HOUR_MS * NANOSECONDS,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msgs_per_subject: queue,
    }),
    ensureStream(nats, names.answers, {
      subjects: [`${names.root}.answer.>`],
      max_msgs_per_subject: 1,
      max_age: KEEP_HOURS * HOUR_MS * NANOSECONDS,
      allow_direct: true,
    }),
    ensureStream(nats, names.dead, {
      subjects: [`${names.root}.dead.>`],
      max_msgs_per_subject: 1,
      max_msgs: MAX_DEAD,
      max_age: DEAD_HOURS * HOUR_MS * NANOSECONDS,
      allow_direct: true,
    }),
  ]);
  const identity = await persist(() =>
    openIdentity(names, (subject) => connection.publisher.publish(subject, "")),
  );
  return { ...connection, manager, workers, tools, limits, payloads, seals, identity };
}

/** Creates the queues of a pool, one for each lane. Deliveries are unlimited: workers count the attempts. */
export async function openPool(streams: FleetStreams, pool: string): Promise<void> {
  const { names, packages, replicas, manager } = streams;
  for (const lane of LANES) {
    const name = names.consumer(pool, lane);
    const config = {
      durable_name: name,
      filter_subject: names.callSubject(pool, lane),
      ack_policy: packages.jetstream.AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * NANOSECONDS,
      max_deliver: -1,
      max_ack_pending: -1,
      max_waiting: 4096,
      num_replicas: replicas,
    };
    await persist(() =>
      manager.consumers.info(names.calls, name).catch((error: unknown) => {
        if (apiCode(error) !== CONSUMER_NOT_FOUND) throw error;
        return manager.consumers.add(names.calls, config);
      }),
    );
  }
}
