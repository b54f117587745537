import type { Journal, JournalQuery } from "../../../core/store/journal.ts";
import { followEvents } from "../../../remote/fleet/events.ts";
import type { OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { HostFleet } from "../../host/fleet/host-fleet.ts";
import type { FleetRecords } from "../../host/fleet/share-calls.ts";
import type { CountedCalls, Figures, FiguresQuery } from "../../../store/figures/figures.ts";
import { createListedFigures } from "../../../store/figures/listed-figures.ts";
import { mergeCalls } from "../calls/merge-calls.ts";
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
    journal: { ...journal, list: (query) => listFrom(journal, records?.journal, query) } satisfies Journal,
    /** The journal of the host, and that of its fleet if it is another. */
    journals: (): readonly Journal[] => [journal, ...(records === undefined ? [] : [records.journal])],
    figures: { count: (query) => countBoth(figures, records?.figures, query) } satisfies Figures,
    queue: mergeQueues(queue, () => records?.queue),
    /** Returns true if events of all calls of the store of this host arrive: a store of its own has calls that are not shared, too. */
    isFollowed: (): boolean => closing !== undefined && fleet.records === undefined,
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

/** Calls that the host does not share, and those from before it had a fleet, are in its own journal only. Positions are those of the own journal. */
async function listFrom(
  own: Journal,
  shared: Journal | undefined,
  query: JournalQuery = {},
): ReturnType<Journal["list"]> {
  if (shared === undefined || query.before !== undefined || query.after !== undefined) return own.list(query);
  const lists = await Promise.all([own.list(query), shared.list(query)]);
  return mergeCalls(lists, query.limit ?? Number.POSITIVE_INFINITY).calls;
}

/** The figures of the fleet leave out the calls of this host. */
async function countBoth(
  own: Figures,
  shared: Figures | undefined,
  query: FiguresQuery,
): Promise<CountedCalls> {
  if (shared === undefined) return own.count(query);
  const [here, there] = await Promise.all([own.count(query), shared.count(query)]);
  const since = [here, there].flatMap(({ countedSince }) => countedSince ?? []);
  return {
    cells: [...here.cells, ...there.cells],
    usage: [...here.usage, ...there.usage],
    countedSince: since.length === 0 ? null : Math.min(...since),
    isPartial: here.isPartial || there.isPartial,
    isWindow: here.isWindow === true || there.isWindow === true,
  };
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
