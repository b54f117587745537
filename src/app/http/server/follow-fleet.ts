import type { Journal } from "../../../core/store/journal.ts";
import { followEvents } from "../../../remote/fleet/events.ts";
import type { OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { HostFleet } from "../../host/fleet/host-fleet.ts";
import type { FleetRecords } from "../../host/fleet/share-calls.ts";
import type { Figures } from "../../../store/figures/figures.ts";
import { createListedFigures } from "../../../store/figures/listed-figures.ts";
import type { CallEvents } from "../calls/running-calls.ts";
import type { EventHub } from "../events/event-hub.ts";
import { lostWorkersOf } from "./lost-workers.ts";

export interface FollowOptions {
  readonly fleet: HostFleet;
  readonly journal: Journal;
  /** Absent if the store of the host keeps none. */
  readonly figures: Figures | undefined;
  readonly queue: ApprovalQueue;
  readonly hub: EventHub;
  readonly callEvents: CallEvents;
  readonly warn: (warning: string) => void;
}

const AGAIN_MS = 10_000;

/**
 * Follows the fleet of a host; tries again until its servers can be reached. Returns the calls and approvals of all its engines; those of this
 * host alone without a fleet, and until then.
 */
export function followFleet(options: FollowOptions) {
  const { fleet, journal, queue, warn, figures = createListedFigures(journal) } = options;
  let records: FleetRecords | undefined;
  let closing: (() => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connect = async (
    open: () => Promise<OpenFleet>,
    { isFirst }: { readonly isFirst: boolean },
  ): Promise<void> => {
    try {
      records = await fleet.records?.();
      closing = await follow(await open(), options);
    } catch (error) {
      if (isFirst) warn(`the fleet is not shown until its servers can be reached: ${errorMessage(error)}`);
      if (!isClosed)
        timer = setTimeout(() => void (trying = connect(open, { isFirst: false })), AGAIN_MS).unref();
    }
  };
  let trying = fleet.open === undefined ? Promise.resolve() : connect(fleet.open, { isFirst: true });
  return {
    journal: { ...journal, list: (query) => listFrom(records?.journal, journal, query) } satisfies Journal,
    figures: { count: (query) => (records?.figures ?? figures).count(query) } satisfies Figures,
    queue: mergeQueues(queue, () => records?.queue),
    /** Returns true if events of other processes arrive. */
    isFollowed: (): boolean => closing !== undefined,
    /** Resolves after the first attempt to connect. */
    tried: trying,
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await trying;
      clearTimeout(timer);
      await closing?.();
    },
  };
}

async function follow(fleet: OpenFleet, { hub, callEvents }: FollowOptions): Promise<() => Promise<void>> {
  const events = await followEvents(fleet, (event) => {
    callEvents.add(event);
    hub.emit(event);
  });
  lostWorkersOf(fleet.directory);
  const stop = fleet.directory.watch(() => hub.emit({ type: "fleet.changed", at: Date.now() }));
  return async () => {
    stop();
    await events.close();
  };
}

/** Calls from before the host had a fleet are in its own journal only. */
async function listFrom(
  shared: Journal | undefined,
  own: Journal,
  query: Parameters<Journal["list"]>[0] = {},
): ReturnType<Journal["list"]> {
  if (shared === undefined) return own.list(query);
  const sharedRecords = await shared.list(query);
  const isOne = (query.callId ?? query.session ?? query.parent) !== undefined;
  return sharedRecords.length === 0 && isOne ? own.list(query) : sharedRecords;
}

/** A request of this machine is in both queues, and shown once. */
function mergeQueues(own: ApprovalQueue, shared: () => ApprovalQueue | undefined): ApprovalQueue {
  return {
    approver: own.approver,
    async pending() {
      const [here, there] = await Promise.all([
        own.pending(),
        shared()
          ?.pending()
          .catch(() => []) ?? [],
      ]);
      const known = new Set(there.map(nameOf));
      return [...there, ...here.filter((one) => !known.has(nameOf(one)))].toSorted(
        (left, right) => left.askedAt - right.askedAt,
      );
    },
    answer: async (id, approval) =>
      (await own.answer(id, approval)) || ((await shared()?.answer(id, approval)) ?? false),
  };
}

const nameOf = ({ request: { session, callId, hash } }: PendingApproval): string =>
  JSON.stringify([session, callId, hash]);
