import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { advertise, type AdvertOptions } from "./advertise.ts";
import { createInsist } from "../answers.ts";
import { connectFleet, loadPackages } from "../connect.ts";
import type { FleetOptions } from "../open-fleet.ts";
import { createPuller } from "./pull.ts";
import { createRunner } from "./run-job.ts";
import { createTake, type Jobs } from "./take-job.ts";
import { createSettler } from "./settle.ts";
import { ACK_WAIT_MS, openPool, openStreams, type FleetStreams } from "../streams.ts";
import { createSeals, missingKey } from "../keys/seals.ts";
import type { SealedNotice } from "../wire.ts";

export interface WorkerOptions extends Omit<AdvertOptions, "id" | "running"> {
  /** Receives one line for each call that is refused or given up, while the worker waits for the servers, and when it loses them. */
  readonly warn: (line: string) => void;
  /** Ends the wait for the servers. */
  readonly signal?: AbortSignal;
}

export interface Worker {
  readonly id: string;
  /** Resolves when `toolwright fleet drain` asked the worker to end. Rejects if the servers refuse it from now on. */
  readonly asked: Promise<void>;
  /** Takes no more calls, waits for the running ones up to a time, gives back or settles the rest, and disconnects. */
  drain(timeoutMs: number): Promise<void>;
}

const HEARTBEAT_MS = ACK_WAIT_MS / 3;
const MAX_CANCELLED = 10_000;
const ABANDON_MS = 5000;
/** How long a worker waits for servers that start or elect a leader. */
const START_MS = 60_000;
const START_AGAIN_MS = 1000;

/** Starts a worker: it advertises itself and takes calls until it is drained. Waits for servers that start or elect a leader. */
export async function startWorker(address: FleetOptions, options: WorkerOptions): Promise<Worker> {
  const { engine, pool, concurrency, warn } = options;
  if (address.key === undefined) throw missingKey();
  await loadPackages();
  const streams = await persistently(() => open(address, options), options);
  const { nc, names } = streams;
  const id = randomBytes(8).toString("hex");
  const closing = new AbortController();
  const jobs: Jobs = new Map();
  const cancels = listenForCancels(streams, jobs);
  const notify = (engineId: string, notice: SealedNotice): void =>
    nc.publish(names.replySubject(engineId), streams.seals.seal("notice", engineId, JSON.stringify(notice)));
  // An answer is not given up: the call has run.
  const insist = createInsist(streams, closing.signal);
  const isCancelled = cancels.has;
  const settler = createSettler({ id, streams, insist, isCancelled, notify, warn });
  const advert = await advertise(streams, { ...options, id, running: () => jobs.size });
  const runner = createRunner(engine, streams.payloads, notify, advert.serverNow);
  const take = createTake({ worker: id, options, jobs, settler, runner, advert, streams, isCancelled });
  const reopen = (): Promise<void> => openPool(streams, pool);
  const puller = createPuller(streams, { pool, concurrency, take, reopen });
  const beat = setInterval(() => {
    for (const { delivery } of jobs.values()) delivery.working();
  }, HEARTBEAT_MS);
  const control = listenForDrain(streams, id);
  return {
    id,
    asked: control.asked,
    async drain(timeoutMs) {
      puller.stop();
      await advert.drain();
      await endJobs(jobs, timeoutMs);
      await advert.close();
      clearInterval(beat);
      closing.abort();
      for (const one of [control, cancels, puller, runner, settler]) one.close();
      await nc.flush().catch(() => undefined);
      await streams.close();
    },
  };
}

async function open(address: FleetOptions, { pool, warn }: WorkerOptions): Promise<FleetStreams> {
  const connection = await connectFleet(address, "toolwright worker", { endsIfRefused: true, warn });
  try {
    const seals = createSeals(address.key, "worker", connection.names.namespace);
    const streams = await openStreams(connection, seals, address.queue);
    connection.onReconnect(() => void streams.identity.confirm());
    await openPool(streams, pool);
    await connection.whenAllowed();
    return streams;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Tries work again while it fails for a reason that may go away. */
async function persistently<T>(
  work: () => Promise<T>,
  { warn, signal }: Pick<WorkerOptions, "warn" | "signal">,
): Promise<T> {
  const endsAt = performance.now() + START_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = Math.round((endsAt - performance.now()) / 1000);
      const mayGoAway = error instanceof ToolError && ERROR_CODES[error.code].retry;
      if (!mayGoAway || seconds <= 0 || signal?.aborted === true) throw error;
      warn(`${error.message}; trying again for ${seconds} s`);
      await sleep(START_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function listenForDrain({ nc, listen, names, seals }: FleetStreams, id: string) {
  const { promise: request, resolve, reject } = Promise.withResolvers<void>();
  request.catch(() => undefined);
  void nc
    .closed()
    .then(
      (error) =>
        error &&
        reject(new ToolError("UNAVAILABLE", `the fleet closed the connection: ${errorMessage(error)}`)),
    );
  const subscription = listen(names.controlSubject(id), (message) => {
    if (seals.unseal("drain", id, message.string()) === undefined) return;
    resolve();
    message.respond("ok");
  });
  return { asked: request, close: subscription.close };
}

/** Aborts the jobs that engines cancel; remembers those that may still come. */
function listenForCancels({ listen, names, seals }: FleetStreams, jobs: Jobs) {
  const cancelled = new Set<string>();
  const subscription = listen(names.cancelSubject, (message) => {
    const key = seals.unseal("cancel", "", message.string());
    if (key === undefined) return;
    if (cancelled.size >= MAX_CANCELLED) cancelled.clear();
    cancelled.add(key);
    jobs.get(key)?.controller.abort();
  });
  return { has: (key: string): boolean => cancelled.has(key), close: subscription.close };
}

async function endJobs(jobs: Jobs, timeoutMs: number): Promise<void> {
  await untilEmpty(jobs, timeoutMs);
  for (const job of jobs.values()) {
    job.isAbandoned = true;
    job.controller.abort();
  }
  await untilEmpty(jobs, ABANDON_MS);
}

async function untilEmpty(jobs: Jobs, timeoutMs: number): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  while (jobs.size > 0 && performance.now() < endsAt) await sleep(20);
}
