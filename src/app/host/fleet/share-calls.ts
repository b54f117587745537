import type { EngineEvent } from "../../../core/events.ts";
import type { CallRecord, CallTrace, Journal, JournalEntry } from "../../../core/store/journal.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import {
  createApprovalQueue,
  type QueuedApprover,
  type QueueOptions,
} from "../../../store/database/approval-queue.ts";
import { openNatsRecords } from "../../../store/nats/open-nats-store.ts";
import { defined } from "../../../util/json/defined.ts";

/** The calls and approvals of the engines of a fleet. */
export type FleetRecords = Awaited<ReturnType<typeof openFleetRecords>>;

interface RecordOptions extends Required<Pick<QueueOptions, "mask" | "seal">> {
  readonly keepCallsMs: number;
  /** The journal of this host, whose calls the figures of the fleet leave out. */
  readonly own: Pick<Journal, "list"> | undefined;
}

/** Opens the records of a fleet, on its connection. Others can write to the servers too: approvals are sealed. */
export async function openFleetRecords(fleet: OpenFleet, { keepCallsMs, own, ...options }: RecordOptions) {
  const isCounted = async ({ callId, receivedAt }: CallRecord): Promise<boolean> =>
    (await own?.list({ callId, receivedAt, limit: 1 }))?.[0] === undefined;
  const { journal, collections, figures, close } = await openNatsRecords(fleet, { keepCallsMs, isCounted });
  return { journal, figures, queue: createApprovalQueue(collections, options), close };
}

/** While so many changes wait for the servers, calls are not copied: they are faster than the servers, or these do not answer. */
const MAX_WRITES = 1000;

interface Copied {
  readonly entry: Promise<JournalEntry | undefined>;
  verdict?: CallTrace["verdict"];
}

/** Writes a copy of each call of the engine to the records of the fleet. The engine does not wait for it, and a failure loses only the copy. */
export function copyCalls(
  engine: Pick<Engine, "on" | "get">,
  open: () => Promise<FleetRecords>,
  folder: string,
): { close(): Promise<void> } {
  const calls = new Map<string, Copied>();
  const writes = new Set<Promise<unknown>>();
  const write = (work: Promise<unknown>): void => {
    const done = work.catch(() => undefined).finally(() => writes.delete(done));
    writes.add(done);
  };
  const change = ({ entry }: Copied, work: (entry: JournalEntry) => undefined | Promise<unknown>): void =>
    write(entry.then((one) => one && work(one)));
  const stop = engine.on((event: EngineEvent) => {
    if (!("callId" in event) || event.callId === undefined) return;
    const { callId, session, at } = event;
    const id = `${session}\n${callId}`;
    if (event.type === "call.received") {
      if (writes.size >= MAX_WRITES) return;
      const { name, input } = event;
      const entry = open().then(
        ({ journal }) => journal.receive({ callId, name, input, session, folder, receivedAt: at }),
        () => undefined,
      );
      calls.set(id, { entry });
      write(entry);
      return;
    }
    const call = calls.get(id);
    if (call === undefined) return;
    if (event.type === "call.judged") {
      const { kind, reason, rule, hint } = event.verdict;
      call.verdict = { kind, reason, ...defined({ rule, hint }) };
    } else if (event.type === "call.started" && event.attempt === 1)
      change(call, (entry) => entry.start(engine.get(event.name)?.effects ?? "unsafe"));
    else if (event.type === "call.suspended") {
      calls.delete(id);
      change(call, (entry) => entry.suspend({}));
    } else if (event.type === "call.answered") {
      calls.delete(id);
      change(call, (entry) => entry.settle(event.result, defined({ verdict: call.verdict })));
    }
  });
  return {
    async close() {
      stop();
      await Promise.all(writes);
    },
  };
}

/** Asks in both queues: the first answer counts, and the other request is withdrawn. */
export function askInBoth(own: QueuedApprover, open: () => Promise<FleetRecords>): QueuedApprover {
  return {
    async ask(request, signal, onStored, parking) {
      const answered = new AbortController();
      const either = AbortSignal.any([signal, answered.signal]);
      const here = own.ask(request, either, onStored, parking);
      const there = open()
        .then(({ queue }) => queue.approver.ask(request, either, undefined, parking))
        .catch(() => here);
      try {
        return await Promise.race([here, there]);
      } finally {
        answered.abort();
      }
    },
  };
}
