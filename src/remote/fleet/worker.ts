import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ERROR_CODES, ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { advertise, type Advert, type AdvertOptions } from "./advertise.ts";
import { createInsist } from "./answers.ts";
import { checkHead, isAllowedInput } from "./check-job.ts";
import { connectFleet, loadPackages } from "./connect.ts";
import type { FleetOptions } from "./open-fleet.ts";
import { createPuller, type Delivery } from "./pull.ts";
import { createRunner, type RunningJob, type Runner } from "./run-job.ts";
import { createSettler, isSafe, PASS_ON_MS, type Settler } from "./settle.ts";
import { ACK_WAIT_MS, openPool, openStreams, type FleetStreams } from "./streams.ts";
import type { StreamIdentity } from "./identity.ts";
import { createSeals, missingKey } from "./keys/seals.ts";
import { callObject, type JobHead, type SealedNotice } from "./wire.ts";

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

type Jobs = Map<string, RunningJob>;

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

interface Taking {
  readonly worker: string;
  readonly options: WorkerOptions;
  readonly jobs: Jobs;
  readonly settler: Settler;
  readonly runner: Runner;
  readonly advert: Advert;
  readonly streams: FleetStreams;
  readonly isCancelled: (key: string) => boolean;
}

/** Returns the function that works on one delivery. It never rejects. */
function createTake(taking: Taking): (delivery: Delivery) => Promise<void> {
  const { jobs, settler, advert, streams } = taking;
  const { namespace } = streams.names;
  const { pool, labels, warn } = taking.options;
  return async (delivery) => {
    try {
      const checked = checkHead(delivery, streams.seals, { namespace, pool });
      if (!("head" in checked)) return void (await settler.refuse(delivery, checked.refusal, checked.signed));
      const { head } = checked;
      const known = jobs.get(head.key);
      // This worker was late with a sign of life: from now on they are for the new delivery.
      if (known !== undefined) return void (known.delivery = delivery);
      if (!advert.has(head.tool, head.version) || !head.labels.every((one) => labels.includes(one)))
        return delivery.nak(PASS_ON_MS);
      const job: RunningJob = { head, delivery, controller: new AbortController(), isAbandoned: false };
      jobs.set(head.key, job);
      await work(taking, job).finally(() => jobs.delete(head.key));
    } catch (error) {
      // It is delivered again, here or elsewhere.
      warn(`a call could not be answered: ${errorMessage(error)}`);
    }
  };
}

async function work(
  { worker, settler, runner, streams, isCancelled }: Taking,
  job: RunningJob,
): Promise<void> {
  const { head, delivery } = job;
  const object = callObject(head.key);
  const input = head.isStored === true ? await streams.payloads.getBlob(object) : delivery.data;
  if (input !== null && !isAllowedInput(head, input))
    return void (await settler.refuse(delivery, "its input is not the one that was allowed", head));
  // At the same time as the claim, which waits for the servers too.
  const checking = isForTheseStreams(head, streams.identity);
  const claim = await settler.claim(job);
  const isForThese = await checking;
  if (claim === undefined) return;
  if (isForThese === undefined) return delivery.nak(PASS_ON_MS);
  if (!isForThese) return settler.refuseOther(job);
  // It was removed with the answer.
  if (input === null) return delivery.nak(PASS_ON_MS);
  if (isCancelled(head.key)) job.controller.abort();
  const { result, artifacts } = await runner.run(job, input, claim.attempt);
  if (job.isAbandoned) return isSafe(head) ? job.delivery.nak() : settler.interrupt(job, claim.expected);
  const ranOn = { worker, machine: hostname() };
  const state = { state: "answered", result, ranOn, ...(artifacts.length > 0 && { artifacts }) } as const;
  await settler.answer(job, state, claim.expected);
  if (head.isStored === true) await streams.payloads.delete(object).catch(() => undefined);
}

/** How long a call without effects may rely on the identity that was confirmed last. */
const KNOWN_MS = 1000;

/** Returns whether a call that was delivered is for the streams that there are; undefined if the servers do not answer. */
async function isForTheseStreams(
  { streams, effects }: JobHead,
  identity: StreamIdentity,
): Promise<boolean | undefined> {
  if (effects === "none" && streams === identity.known() && identity.age() < KNOWN_MS) return true;
  // Asked after the delivery: streams that were made anew before it are noticed.
  const now = await identity.confirm();
  return now === undefined ? undefined : now === streams;
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
