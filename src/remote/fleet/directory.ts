import { createListeners } from "../../util/async/listeners.ts";
import { isObject, type Json } from "../../core/json.ts";
import { persist } from "../../store/nats/nats.ts";
import { counted } from "../../util/text/words.ts";
import { attempt } from "../../util/async/attempt.ts";
import { CLOCK_MS, WORKER_TTL_MS, type FleetStreams } from "./streams.ts";
import type { WorkerAdvert } from "./wire.ts";

/** The workers of a namespace, as their last adverts describe them. */
export type Directory = Awaited<ReturnType<typeof openDirectory>>;

/** Reads the workers that there are, then listens for changes. */
export async function openDirectory(streams: FleetStreams) {
  const { listen, names, isConnected, onReconnect, seals } = streams;
  const known = new Map<string, { readonly advert: WorkerAdvert; readonly seenAt: number }>();
  /** Of the newest advert of each worker: an older one does not count again. */
  const sentAt = new Map<string, number>();
  const { add: watch, emit: changed } = createListeners<[]>();
  const { add: watchGone, emit: gone } = createListeners<[last: WorkerAdvert]>();
  let ignored: Ignored = { count: 0, reason: "" };
  const note = (id: string, advert: WorkerAdvert | undefined): void => {
    const before = known.get(id)?.advert;
    if (advert === undefined) known.delete(id);
    else known.set(id, { advert, seenAt: performance.now() });
    if (before !== undefined && advert === undefined) gone(before);
    if (offerOf(before) !== offerOf(advert)) changed();
  };
  const read = (id: string, text: string): void => {
    const advert = parseAdvert(seals.unseal("advert", id, text));
    const reason = advert === undefined ? UNSIGNED : problemOf(advert, sentAt.get(id) ?? 0);
    if (advert !== undefined && reason === undefined) {
      sentAt.set(id, advert.sentAt);
      return note(id, advert.isGone === true ? undefined : advert);
    }
    ignored = { count: ignored.count + 1, reason: reason ?? UNSIGNED };
    // The source of the tools reports it once.
    if (ignored.count === 1) changed();
  };
  const prefix = `$KV.${names.workers}.`;
  const subscription = listen(`${prefix}>`, (message) => {
    // Everyone who may write to the bucket can delete: a worker that ends says so.
    if (message.headers?.has("KV-Operation") !== true)
      read(message.subject.slice(prefix.length), message.string());
  });
  for (const [id, text] of await storedAdverts(streams)) if (!known.has(id)) read(id, text);
  // Without a connection there are no adverts: workers are not taken for dead, and calls wait for the servers.
  let connectedAt = performance.now();
  onReconnect(() => (connectedAt = performance.now()));
  const sweep = setInterval(() => {
    if (!isConnected()) return;
    const oldest = performance.now() - WORKER_TTL_MS;
    for (const [id, { seenAt }] of known) if (Math.max(seenAt, connectedAt) < oldest) note(id, undefined);
    for (const [id, at] of sentAt) if (at < Date.now() - MAX_AGE_MS) sentAt.delete(id);
  }, WORKER_TTL_MS / 4);
  sweep.unref();
  return {
    /** Returns the workers that are alive. */
    workers: (): readonly WorkerAdvert[] => [...known.values()].map(({ advert }) => advert),
    isAlive: (id: string): boolean => known.has(id),
    /** Returns how many adverts were ignored, and why the last one was. */
    ignored: (): Ignored => ignored,
    /** Calls back when workers come, go or change their tools; returns a function that stops it. */
    watch,
    /** Calls back with the last advert of each worker that ends or is no longer heard of; returns a function that stops it. */
    watchGone,
    close(): void {
      clearInterval(sweep);
      subscription.close();
    },
  };
}

/** Returns the adverts that the servers have, by worker. */
async function storedAdverts({
  names,
  manager,
  workers,
}: FleetStreams): Promise<ReadonlyMap<string, string>> {
  const prefix = `$KV.${names.workers}.`;
  // Not `workers.keys()`: its consumer may wait forever for the end of a bucket whose entries are replaced while it reads.
  const { state } = await persist(() =>
    manager.streams.info(`KV_${names.workers}`, { subjects_filter: `${prefix}>` }),
  );
  const adverts = new Map<string, string>();
  await Promise.all(
    Object.keys(state.subjects ?? {}).map(async (subject) => {
      const id = subject.slice(prefix.length);
      const entry = await persist(() => workers.get(id));
      if (entry?.operation === "PUT") adverts.set(id, entry.string());
    }),
  );
  return adverts;
}

/** Returns true if the servers have an advert of the worker that has not expired. Workers ask: only engines receive every advert. */
export async function isWorkerAlive({ names, manager, seals }: FleetStreams, id: string): Promise<boolean> {
  const last_by_subj = `$KV.${names.workers}.${id}`;
  // Not `workers.get()`: a replica that is behind may answer it.
  const stored = await persist(() => manager.streams.getMessage(`KV_${names.workers}`, { last_by_subj }));
  if (stored === null || stored.header.has("KV-Operation")) return false;
  return parseAdvert(seals.unseal("advert", id, stored.string()))?.isGone !== true;
}

/** Adverts that were not believed. */
export interface Ignored {
  readonly count: number;
  readonly reason: string;
}

/** Returns what an error adds about adverts that were ignored. */
export function textOf({ count, reason }: Ignored): string {
  return count === 0 ? "" : `; ${counted(count, "advert")} ignored, the last because ${reason}`;
}

const UNSIGNED = "it is not signed with the key of this engine";
const MAX_AGE_MS = WORKER_TTL_MS + CLOCK_MS;

/** Returns why a signed advert does not count. */
function problemOf(advert: WorkerAdvert, newest: number): string | undefined {
  const { sentAt } = advert;
  const age = Date.now() - sentAt;
  if (sentAt < newest) return "it is older than another one of its worker";
  if (age > MAX_AGE_MS) return `it was sent ${Math.round(age / 1000)} s ago; the clocks must be the same`;
  if (age < -MAX_AGE_MS) return "it was sent in the future; the clocks must be the same";
  return undefined;
}

function parseAdvert(text: string | undefined): WorkerAdvert | undefined {
  const advert = text === undefined ? undefined : attempt(() => JSON.parse(text) as Json);
  return isObject(advert) &&
    typeof advert["sentAt"] === "number" &&
    Array.isArray(advert["tools"]) &&
    Array.isArray(advert["labels"])
    ? (advert as unknown as WorkerAdvert)
    : undefined;
}

/** Returns the part of an advert that decides which calls the worker takes. */
function offerOf(advert: WorkerAdvert | undefined): string {
  if (advert === undefined) return "";
  const { pool, labels, tools, isDraining } = advert;
  return JSON.stringify([pool, labels, tools, isDraining]);
}
