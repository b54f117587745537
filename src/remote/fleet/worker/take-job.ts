import { hostname } from "node:os";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { Advert, AdvertOptions } from "./advertise.ts";
import { checkHead } from "./check-job.ts";
import type { Delivery } from "./pull.ts";
import type { RunningJob, Runner } from "./run-job.ts";
import { isSafe } from "../failure.ts";
import { PASS_ON_MS, type Settler } from "./settle.ts";
import type { FleetStreams } from "../streams.ts";
import type { StreamIdentity } from "../identity.ts";
import { callObject, isAllowedInput, type JobHead } from "../wire.ts";

/** How long a call without effects may rely on the identity that was confirmed last. */
const KNOWN_MS = 1000;

export type Jobs = Map<string, RunningJob>;

export interface Taking {
  readonly worker: string;
  readonly options: Pick<AdvertOptions, "pool" | "labels"> & { readonly warn: (line: string) => void };
  readonly jobs: Jobs;
  readonly settler: Settler;
  readonly runner: Runner;
  readonly advert: Advert;
  readonly streams: FleetStreams;
  readonly isCancelled: (key: string) => boolean;
}

/** Returns the function that works on one delivery. It never rejects. */
export function createTake(taking: Taking): (delivery: Delivery) => Promise<void> {
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
