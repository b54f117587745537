import type { EngineEvent } from "../../core/events.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { ensureStream, maxPayload, NANOSECONDS } from "../../store/nats/nats.ts";
import { attempt } from "../../util/async/attempt.ts";
import type { OpenFleet } from "./open-fleet.ts";

/** An event of a call. */
export type CallEvent = Extract<EngineEvent, { readonly callId?: string }>;

/** A message of the event stream: events of one engine, in order. */
interface EventBatch {
  readonly engine: string;
  readonly events: readonly CallEvent[];
}

export interface EventPublisher {
  /** Sends what waits, then stops. Waits for the servers. Never rejects. */
  close(): Promise<void>;
}

/** Events of this time are sent in one message: a call has four or more. */
const BATCH_MS = 25;
/** What could not be sent is tried again after this time. */
const AGAIN_MS = 1000;
/** While no server answers, events beyond this number are dropped, the oldest first. */
const MAX_WAITING = 5000;
/** A longer event is sent without its data; the journal has the call. */
const LONGEST = 64 * 1024;
const KEEP_MS = 24 * 3_600_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** A new follower begins with the events of this time: of calls that run, it has what came before. */
const RECENT_MS = 60_000;

/** Publishes the events of the engine's calls, in batches, from now on. It connects with the first one. Losses do not affect calls. */
export function publishEvents(open: () => Promise<OpenFleet>, engine: Pick<Engine, "on">): EventPublisher {
  const waiting: CallEvent[] = [];
  let ready: Promise<void> | undefined;
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const send = async (): Promise<void> => {
    const fleet = await open();
    await (ready ??= ensureEvents(fleet));
    const { nc, names, isConnected, engineId } = fleet;
    if (!isConnected()) return;
    for (const body of toBodies(engineId, waiting.splice(0), maxPayload(nc)))
      nc.publish(names.eventSubject(engineId), body);
  };
  const run = (): void => {
    sending = send()
      .catch(() => void (ready = undefined))
      .finally(
        () => (timer = waiting.length > 0 && !isStopped ? setTimeout(run, AGAIN_MS).unref() : undefined),
      );
  };
  const stop = engine.on((event) => {
    if (!("callId" in event) || event.callId === undefined) return;
    waiting.push(event);
    if (waiting.length > MAX_WAITING) waiting.shift();
    timer ??= setTimeout(run, BATCH_MS);
  });
  return {
    async close() {
      stop();
      isStopped = true;
      clearTimeout(timer);
      await sending;
      if (waiting.length > 0) await send().catch(() => undefined);
      if (ready !== undefined)
        await open()
          .then(({ nc }) => nc.flush())
          .catch(() => undefined);
    },
  };
}

/** Returns the messages for some events, none longer than the server takes. */
function toBodies(engine: string, events: readonly CallEvent[], longest: number): readonly string[] {
  const bodies: string[] = [];
  let [texts, size]: [string[], number] = [[], 0];
  const end = (): void => {
    if (texts.length > 0) bodies.push(`{"engine":${JSON.stringify(engine)},"events":[${texts.join(",")}]}`);
    [texts, size] = [[], 0];
  };
  for (const event of events) {
    const whole = JSON.stringify(event);
    const { type, at, callId, session } = event;
    const text =
      Buffer.byteLength(whole) <= LONGEST
        ? whole
        : JSON.stringify({ type, at, callId, session, isCut: true });
    if (size + text.length * 3 > longest) end();
    texts.push(text);
    size += text.length * 3;
  }
  end();
  return bodies;
}

/** Calls back with each event of the other engines of the fleet, in the order of each engine, also after a reconnection. */
export async function followEvents(
  fleet: OpenFleet,
  onEvent: (event: CallEvent) => void,
): Promise<{ close(): Promise<void> }> {
  await ensureEvents(fleet);
  const { js, names, packages } = fleet;
  const consumer = await js.consumers.get(names.events, {
    // Not from a time: the client cannot create such a consumer again after the servers have lost it.
    deliver_policy: packages.jetstream.DeliverPolicy.StartSequence,
    opt_start_seq: await firstSince(fleet, new Date(Date.now() - RECENT_MS)),
  });
  const messages = await consumer.consume({
    callback(message) {
      const batch = attempt(() => message.json<EventBatch>());
      if (Array.isArray(batch?.events) && batch.engine !== fleet.engineId) batch.events.forEach(onEvent);
    },
  });
  return { close: async () => void (await messages.close()) };
}

/** Returns the sequence number of the first message since a time. */
async function firstSince({ names, manager, packages }: OpenFleet, time: Date): Promise<number> {
  const { events } = names;
  const { consumers } = manager;
  const { AckPolicy, DeliverPolicy } = packages.jetstream;
  const { name, delivered } = await consumers.add(events, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: time.toISOString(),
    inactive_threshold: AGAIN_MS * NANOSECONDS,
    num_replicas: 1,
    mem_storage: true,
  });
  void consumers.delete(events, name).catch(() => undefined);
  return delivered.stream_seq + 1;
}

/** Creates the stream of events, unless it exists. */
export async function ensureEvents(fleet: OpenFleet): Promise<void> {
  const { names } = fleet;
  await ensureStream(fleet, names.events, {
    subjects: [names.eventSubject("*")],
    max_age: KEEP_MS * NANOSECONDS,
    max_bytes: MAX_BYTES,
  });
}
