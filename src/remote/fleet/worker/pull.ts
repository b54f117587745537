import type { Msg } from "@nats-io/transport-node";
import { deliveryOf } from "../../../store/nats/nats.ts";
import type { FleetConnection } from "../connect.ts";
import { LANES } from "../../../core/fleet-names.ts";
import { PULL_EXPIRES_MS } from "../streams.ts";

/** A call that was delivered to this worker. */
export type Delivery = Readonly<ReturnType<typeof toDelivery>>;

export interface PullOptions {
  readonly pool: string;
  /** How many calls run at the same time. */
  readonly concurrency: number;
  /** Works on a call; it holds its slot until it resolves. Must not reject. */
  readonly take: (delivery: Delivery) => Promise<void>;
  /** Creates the queues again, which were deleted. */
  readonly reopen: () => Promise<void>;
}

interface Pull {
  readonly lane: LaneState;
  /** True: it does not wait for calls to come. */
  readonly isProbe: boolean;
  readonly endsAt: number;
  left: number;
}

interface LaneState {
  readonly calls: string;
  readonly subject: string;
  /** How many calls may still be delivered for waiting pulls. */
  open: number;
  emptyUntil: number;
}

const NAK = "-NAK";
/** No server has the queue; it was deleted, or has too many requests. */
const REFUSALS: ReadonlySet<number> = new Set([409, 503]);
const SWEEP_MS = 500;
/** How long a lane that was found empty is not looked at again while there is more to do than slots. */
const EMPTY_MS = 20;

/**
 * Pulls calls for the free slots of a worker, of the most urgent lane first. A worker with free slots waits at every lane; one that was
 * full asks lane by lane.
 */
export function createPuller(connection: FleetConnection, options: PullOptions) {
  const { pool, concurrency, take, reopen } = options;
  const { nc } = connection;
  const requests = createRequests(connection, pool);
  let isRefused = false;
  let running = 0;
  let isStopped = false;
  let wasFull = false;
  const pump = (): void => {
    const free = concurrency - running;
    if (isStopped || nc.isClosed() || free <= 0) return;
    if (wasFull) {
      if (requests.probe(free)) return;
      wasFull = false;
    }
    requests.wait(free);
  };
  const schedule = oncePerTurn(pump);
  const receive = (message: Msg, isProbe: boolean): void => {
    if (message.reply?.startsWith("$JS.ACK.") !== true) {
      requests.end(message.subject.slice(message.subject.lastIndexOf(".") + 1));
      isRefused ||= REFUSALS.has(message.headers?.code ?? 0);
      return isRefused ? undefined : schedule();
    }
    requests.count(message.subject, isProbe);
    const delivery = toDelivery(message);
    if (isStopped || running >= concurrency) return delivery.nak();
    running += 1;
    wasFull ||= running === concurrency;
    schedule();
    void take(delivery).finally(() => {
      running -= 1;
      schedule();
    });
  };
  const subscriptions = [true, false].map((isProbe) =>
    connection.listen(`${requests.inbox}.${isProbe}.*`, (message) => receive(message, isProbe)),
  );
  const sweep = setInterval(() => {
    requests.sweep();
    if (isRefused) void reopen().catch(() => undefined);
    isRefused = false;
    pump();
  }, SWEEP_MS);
  pump();
  return {
    /** Takes no more calls. */
    stop(): void {
      isStopped = true;
      clearInterval(sweep);
    },
    /** Ends the subscription. */
    close(): void {
      for (const one of subscriptions) one.close();
    },
  };
}

/** Returns a function after whose calls the work runs once, when the event loop turns. */
function oncePerTurn(work: () => void): () => void {
  let next: NodeJS.Immediate | undefined;
  return () => {
    next ??= setImmediate(() => {
      next = undefined;
      work();
    });
  };
}

/** Creates the requests for calls that the server has not fulfilled. */
function createRequests({ nc, names, packages }: FleetConnection, pool: string) {
  const inbox = packages.transport.createInbox();
  const pulls = new Map<string, Pull>();
  const lanes: readonly LaneState[] = LANES.map((lane) => ({
    calls: names.callSubject(pool, lane),
    subject: `$JS.API.CONSUMER.MSG.NEXT.${names.calls}.${names.consumer(pool, lane)}`,
    open: 0,
    emptyUntil: 0,
  }));
  let last = 0;
  const pull = (lane: LaneState, batch: number, { isProbe }: { readonly isProbe: boolean }): void => {
    const id = String((last += 1));
    pulls.set(id, { lane, isProbe, left: batch, endsAt: performance.now() + PULL_EXPIRES_MS + SWEEP_MS });
    if (!isProbe) lane.open += batch;
    const request = isProbe ? { batch, no_wait: true } : { batch, expires: PULL_EXPIRES_MS * 1e6 };
    nc.publish(lane.subject, JSON.stringify(request), { reply: `${inbox}.${isProbe}.${id}` });
  };
  const end = (id: string): void => {
    const one = pulls.get(id);
    if (one === undefined) return;
    pulls.delete(id);
    if (!one.isProbe) one.lane.open -= one.left;
    else if (one.left > 0) one.lane.emptyUntil = performance.now() + EMPTY_MS;
  };
  return {
    inbox,
    end,
    /** Asks the first lane that may have calls, without waiting there, unless it is being asked. Returns false if all are empty. */
    probe(free: number): boolean {
      if (pulls.values().some(({ isProbe }) => isProbe)) return true;
      const lane = lanes.find(({ emptyUntil }) => emptyUntil <= performance.now());
      if (lane !== undefined) pull(lane, free, { isProbe: true });
      return lane !== undefined;
    },
    /** Waits at every lane for as many calls as there are free slots; asks for more when half of them have come. */
    wait(free: number): void {
      for (const lane of lanes) if (lane.open <= free / 2) pull(lane, free - lane.open, { isProbe: false });
    },
    /** Counts a call for the oldest request of its lane: the server fulfils them in order. */
    count(calls: string, isProbe: boolean): void {
      for (const [id, one] of pulls) {
        if (one.isProbe !== isProbe || one.lane.calls !== calls) continue;
        one.left -= 1;
        if (!isProbe) one.lane.open -= 1;
        if (one.left === 0) pulls.delete(id);
        return;
      }
    },
    /** Forgets requests whose end was lost. */
    sweep(): void {
      const now = performance.now();
      for (const [id, one] of pulls) if (one.endsAt < now) end(id);
    },
  };
}

function toDelivery(message: Msg) {
  const { count, storedAt } = deliveryOf(message);
  return {
    data: message.data,
    headers: message.headers,
    /** 1 for the first delivery; deliveries that a full worker passed on count too. */
    count,
    /** When the server stored the call, milliseconds since 1970. */
    storedAt,
    /** Says that the call is still being worked on. */
    working: (): void => void message.respond("+WPI"),
    /** Removes the call from the queue. */
    ack: (): void => void message.respond("+ACK"),
    /** Gives the call back, for any worker, after a time. */
    nak: (delayMs?: number): void =>
      void message.respond(delayMs === undefined ? NAK : `${NAK} {"delay": ${Math.round(delayMs * 1e6)}}`),
  };
}
