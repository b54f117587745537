import type { JetStreamManager, StreamConfig } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import type { ObjectStore } from "@nats-io/obj";
import type { FleetConnection } from "./connect.ts";
import { LANES } from "./names.ts";

/** The server drops a second call with the same key within this time. */
export const DUPLICATE_MS = 120_000;
/** A call whose worker gives no sign of life for this time is delivered again. */
export const ACK_WAIT_MS = 3000;
/** Below the time above: what is delivered to a worker that is frozen is delivered again soon. */
export const PULL_EXPIRES_MS = 1000;
/** A worker is gone this long after its last advert. */
export const WORKER_TTL_MS = 6000;
const SECOND = 1e9;
const HOUR = 3600 * SECOND;
/** Longer than the longest deadline of a call. */
const KEEP_HOURS = 26;
const DEAD_HOURS = 14 * 24;
const MAX_DEAD = 100_000;
const DEFAULT_QUEUE = 10_000;
const CONSUMER_NOT_FOUND = 10_014;

/** The streams and buckets that engines and workers share. */
export interface FleetStreams {
  readonly manager: JetStreamManager;
  readonly workers: KV;
  readonly tools: KV;
  readonly limits: KV;
  readonly payloads: ObjectStore;
}

/** Opens the streams and buckets of the namespace; creates those that are missing. */
export async function openStreams(
  { js, names, replicas, packages }: FleetConnection,
  queue = DEFAULT_QUEUE,
): Promise<FleetStreams> {
  const { RetentionPolicy, DiscardPolicy } = packages.jetstream;
  const manager = await js.jetstreamManager();
  const ensure = async (config: Partial<StreamConfig> & { readonly name: string }): Promise<void> => {
    await manager.streams.info(config.name).catch(async () => {
      await manager.streams.add({ ...config, num_replicas: replicas });
    });
  };
  const kvm = new packages.kv.Kvm(js);
  const [workers, tools, limits, payloads] = await Promise.all([
    kvm.create(names.workers, { ttl: WORKER_TTL_MS, history: 1, replicas }),
    kvm.create(names.tools, { history: 1, replicas }),
    kvm.create(names.limits, { history: 1, replicas }),
    new packages.obj.Objm(js).create(names.payloads, { ttl: KEEP_HOURS * HOUR, replicas }),
    ensure({
      name: names.calls,
      subjects: [`${names.root}.call.>`],
      retention: RetentionPolicy.Workqueue,
      duplicate_window: (DUPLICATE_MS / 1000) * SECOND,
      max_age: KEEP_HOURS * HOUR,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msgs_per_subject: queue,
    }),
    ensure({
      name: names.answers,
      subjects: [`${names.root}.answer.>`],
      max_msgs_per_subject: 1,
      max_age: KEEP_HOURS * HOUR,
      allow_direct: true,
    }),
    ensure({
      name: names.dead,
      subjects: [`${names.root}.dead.>`],
      max_msgs_per_subject: 1,
      max_msgs: MAX_DEAD,
      max_age: DEAD_HOURS * HOUR,
      allow_direct: true,
    }),
  ]);
  return { manager, workers, tools, limits, payloads };
}

/** Creates the queues of a pool, one for each lane. Deliveries are unlimited: workers count the attempts. */
export async function openPool(
  { names, packages, replicas }: FleetConnection,
  { manager }: FleetStreams,
  pool: string,
): Promise<void> {
  for (const lane of LANES) {
    const name = names.consumer(pool, lane);
    await manager.consumers.info(names.calls, name).catch(async (error: unknown) => {
      if ((error as { readonly code?: number }).code !== CONSUMER_NOT_FOUND) throw error;
      await manager.consumers.add(names.calls, {
        durable_name: name,
        filter_subject: names.callSubject(pool, lane),
        ack_policy: packages.jetstream.AckPolicy.Explicit,
        ack_wait: (ACK_WAIT_MS / 1000) * SECOND,
        max_deliver: -1,
        max_ack_pending: -1,
        max_waiting: 4096,
        num_replicas: replicas,
      });
    });
  }
}
