/** The priorities of calls, the most urgent first. */
export const LANES = ["high", "normal", "low"] as const;
export type Lane = (typeof LANES)[number];

/** The names of everything that one namespace has in NATS. */
export interface FleetNames {
  readonly namespace: string;
  /** Calls that wait or run: a work queue. */
  readonly calls: string;
  /** Answers, and the marks of calls that have started. */
  readonly answers: string;
  /** Calls that no worker could finish. */
  readonly dead: string;
  /** Events of all engines and workers. */
  readonly events: string;
  /** KV: workers with their load, gone a few seconds after their last sign of life. */
  readonly workers: string;
  /** KV: the specs of the tools that workers have, by identity. */
  readonly tools: string;
  /** KV: what limits of pools and tools are in use. */
  readonly limits: string;
  /** Object store: payloads over the limit of the server. */
  readonly payloads: string;
  /** The prefix of what the store has: KV buckets and object stores are named `${store}-…`. */
  readonly store: string;
  /** The prefix of every subject. */
  readonly root: string;
  callSubject(pool: string, lane: Lane): string;
  answerSubject(key: string): string;
  deadSubject(key: string): string;
  eventSubject(type: string): string;
  /** Where an engine listens for progress and notices of answers. */
  replySubject(engineId: string): string;
  /** Where the servers confirm what a publisher stored for a key that an engine waits for. */
  storedSubject(publisherId: string, engineId: string, key: string): string;
  /** Where workers listen for cancelled calls. */
  cancelSubject: string;
  /** Where a worker listens for commands such as drain. */
  controlSubject(workerId: string): string;
  /** The durable consumer of a lane. */
  consumer(pool: string, lane: Lane): string;
}

export function fleetNames(namespace: string): FleetNames {
  const root = `tw.${namespace}`;
  const stored = `tw-${namespace}`;
  return {
    namespace,
    calls: `${stored}-calls`,
    answers: `${stored}-answers`,
    dead: `${stored}-dead`,
    events: `${stored}-events`,
    workers: `${stored}-workers`,
    tools: `${stored}-tools`,
    limits: `${stored}-limits`,
    payloads: `${stored}-payloads`,
    store: `${stored}-store`,
    root,
    callSubject: (pool, lane) => `${root}.call.${pool}.${lane}`,
    answerSubject: (key) => `${root}.answer.${key}`,
    deadSubject: (key) => `${root}.dead.${key}`,
    eventSubject: (type) => `${root}.event.${type}`,
    replySubject: (engineId) => `${root}.reply.${engineId}`,
    storedSubject: (publisherId, engineId, key) => `${root}.stored.${publisherId}.${engineId}.${key}`,
    cancelSubject: `${root}.cancel`,
    controlSubject: (workerId) => `${root}.control.${workerId}`,
    consumer: (pool, lane) => `${pool}-${lane}`,
  };
}
