import { createListeners } from "../../util/async/listeners.ts";
import { isObject, type Json } from "../../core/json.ts";
import { persist } from "../../store/nats/nats.ts";
import { attempt } from "../../util/async/attempt.ts";
import { WORKER_TTL_MS, type FleetStreams } from "./streams.ts";
import type { WorkerAdvert } from "./wire.ts";

/** The workers of a namespace, as their last adverts describe them. */
export type Directory = Awaited<ReturnType<typeof openDirectory>>;

/** Reads the workers that there are, then listens for changes. */
export async function openDirectory(streams: FleetStreams) {
  const { listen, names, isConnected, onReconnect, manager, workers } = streams;
  const known = new Map<string, { readonly advert: WorkerAdvert; readonly seenAt: number }>();
  const { add: watch, emit: changed } = createListeners<[]>();
  const note = (id: string, text: string | undefined): void => {
    const before = known.get(id)?.advert;
    const advert = text === undefined ? undefined : parseAdvert(text);
    if (advert === undefined) known.delete(id);
    else known.set(id, { advert, seenAt: performance.now() });
    if (offerOf(before) !== offerOf(advert)) changed();
  };
  const prefix = `$KV.${names.workers}.`;
  const subscription = listen(`${prefix}>`, (message) =>
    note(
      message.subject.slice(prefix.length),
      message.headers?.has("KV-Operation") === true ? undefined : message.string(),
    ),
  );
  // Not `workers.keys()`: its consumer may wait forever for the end of a bucket whose entries are replaced while it reads.
  const { state } = await persist(() =>
    manager.streams.info(`KV_${names.workers}`, { subjects_filter: `${prefix}>` }),
  );
  await Promise.all(
    Object.keys(state.subjects ?? {}).map(async (subject) => {
      const id = subject.slice(prefix.length);
      const entry = await persist(() => workers.get(id));
      if (entry?.operation === "PUT" && !known.has(id)) note(id, entry.string());
    }),
  );
  // Without a connection there are no adverts: workers are not taken for dead, and calls wait for the servers.
  let connectedAt = performance.now();
  onReconnect(() => (connectedAt = performance.now()));
  const sweep = setInterval(() => {
    if (!isConnected()) return;
    const oldest = performance.now() - WORKER_TTL_MS;
    for (const [id, { seenAt }] of known) if (Math.max(seenAt, connectedAt) < oldest) note(id, undefined);
  }, WORKER_TTL_MS / 4);
  sweep.unref();
  return {
    /** Returns the workers that are alive. */
    workers: (): readonly WorkerAdvert[] =>
      known
        .values()
        .map(({ advert }) => advert)
        .toArray(),
    isAlive: (id: string): boolean => known.has(id),
    /** Calls back when workers come, go or change their tools; returns a function that stops it. */
    watch,
    close(): void {
      clearInterval(sweep);
      subscription.close();
    },
  };
}

/** Returns true if the servers have an advert of the worker that has not expired. Workers ask: only engines receive every advert. */
export async function isWorkerAlive({ names, manager }: FleetStreams, id: string): Promise<boolean> {
  const last_by_subj = `$KV.${names.workers}.${id}`;
  // Not `workers.get()`: a replica that is behind may answer it.
  const stored = await persist(() => manager.streams.getMessage(`KV_${names.workers}`, { last_by_subj }));
  return stored?.header.has("KV-Operation") === false;
}

function parseAdvert(text: string): WorkerAdvert | undefined {
  const advert = attempt(() => JSON.parse(text) as Json);
  return isObject(advert) && Array.isArray(advert["tools"]) && Array.isArray(advert["labels"])
    ? (advert as unknown as WorkerAdvert)
    : undefined;
}

/** Returns the part of an advert that decides which calls the worker takes. */
function offerOf(advert: WorkerAdvert | undefined): string {
  if (advert === undefined) return "";
  const { pool, labels, tools, isDraining } = advert;
  return JSON.stringify([pool, labels, tools, isDraining]);
}
