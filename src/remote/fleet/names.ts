import type { Lane } from "./types/options.ts";

/** The names of everything that one namespace has in NATS. */
export type FleetNames = Readonly<ReturnType<typeof fleetNames>>;

export function fleetNames(namespace: string) {
  const root = `tw.${namespace}`;
  const stored = `tw-${namespace}`;
  return {
    namespace,
    /** Calls that wait or run: a work queue. */
    calls: `${stored}-calls`,
    /** Answers, and the marks of calls that have started. */
    answers: `${stored}-answers`,
    /** Calls that no worker could finish. */
    dead: `${stored}-dead`,
    /** Events of all engines and workers. */
    events: `${stored}-events`,
    /** KV: workers with their load, gone a few seconds after their last sign of life. */
    workers: `${stored}-workers`,
    /** KV: the specs of the tools that workers have, by identity. */
    tools: `${stored}-tools`,
    /** KV: what limits of pools and tools are in use. */
    limits: `${stored}-limits`,
    /** Object store: payloads over the limit of the server. */
    payloads: `${stored}-payloads`,
    /** The prefix of what the store has: KV buckets and object stores are named `${store}-…`. */
    store: `${stored}-store`,
    /** The prefix of every subject. */
    root,
    callSubject: (pool: string, lane: Lane) => `${root}.call.${pool}.${lane}`,
    answerSubject: (key: string) => `${root}.answer.${key}`,
    deadSubject: (key: string) => `${root}.dead.${key}`,
    eventSubject: (type: string) => `${root}.event.${type}`,
    /** Where an engine listens for progress and notices of answers. */
    replySubject: (engineId: string) => `${root}.reply.${engineId}`,
    /** Where the servers confirm what a publisher stored for a key that an engine waits for. */
    storedSubject: (publisherId: string, engineId: string, key: string) =>
      `${root}.stored.${publisherId}.${engineId}.${key}`,
    /** Where workers listen for cancelled calls. */
    cancelSubject: `${root}.cancel`,
    /** Where a worker listens for commands such as drain. */
    controlSubject: (workerId: string) => `${root}.control.${workerId}`,
    /** The durable consumer of a lane. */
    consumer: (pool: string, lane: Lane) => `${pool}-${lane}`,
  };
}
