import type { Clock } from "./processes.ts";

/** A call under way. */
export interface Call {
  readonly caller: number;
  readonly startedAt: number;
}

/** A request of a worker for calls. */
export interface Request {
  /** True: it does not wait for calls to come. */
  readonly isProbe: boolean;
  left: number;
  deliver(call: Call): void;
  /** Reports that the lane has no more calls now. */
  end(): void;
}

/** The calls of one priority that wait, or the requests that wait for them. */
export interface Lane {
  offer(call: Call): void;
  ask(request: Request): void;
}

export function createLane(): Lane {
  const calls: Call[] = [];
  const requests: Request[] = [];
  return {
    offer(call) {
      const request = requests.shift();
      if (request === undefined) calls.push(call);
      else {
        request.left -= 1;
        if (request.left > 0) requests.push(request);
        request.deliver(call);
      }
    },
    ask(request) {
      for (const call of calls.splice(0, request.left)) {
        request.left -= 1;
        request.deliver(call);
      }
      if (request.left === 0) return;
      if (request.isProbe) request.end();
      else requests.push(request);
    },
  };
}

export interface WorkerLinks {
  readonly clock: Clock;
  readonly slots: number;
  readonly lanes: readonly Lane[];
  /** Sends a request to the servers. */
  readonly request: (lane: Lane, request: Request) => void;
  /** Brings a call, or the end of a request, to the worker. */
  readonly receive: (what: "call" | "end", then: () => void) => void;
  /** Runs a call, and calls back when its answer is stored. */
  readonly run: (call: Call, done: () => void) => void;
}

/** As in `src/remote/fleet/worker/pull.ts`. */
const EMPTY_MS = 20;

/** Starts a worker, which asks for calls as `src/remote/fleet/worker/pull.ts` does. Returns a function that returns the time in which its slots were used. */
export function startWorker({ clock, slots, lanes, request, receive, run }: WorkerLinks): () => number {
  const states = lanes.map((lane) => ({ lane, open: 0, emptyUntil: 0 }));
  let [running, usedMs, changedAt] = [0, 0, 0];
  let [wasFull, isProbing, isScheduled] = [false, false, false];
  const change = (by: 1 | -1): void => {
    usedMs += running * (clock.now() - changedAt);
    changedAt = clock.now();
    running += by;
    wasFull ||= running === slots;
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    // After all messages of this turn.
    clock.after(0, () => {
      isScheduled = false;
      pump();
    });
  };
  const pump = (): void => {
    const free = slots - running;
    if (free <= 0 || isProbing) return;
    const next = wasFull ? states.find(({ emptyUntil }) => emptyUntil <= clock.now()) : undefined;
    if (next !== undefined) return pull(next, free, { isProbe: true });
    wasFull = false;
    for (const state of states)
      if (state.open <= free / 2) pull(state, free - state.open, { isProbe: false });
  };
  const pull = (
    state: (typeof states)[number],
    batch: number,
    { isProbe }: { readonly isProbe: boolean },
  ): void => {
    if (isProbe) isProbing = true;
    else state.open += batch;
    let left = batch;
    request(state.lane, {
      isProbe,
      left: batch,
      deliver: (call) =>
        receive("call", () => {
          left -= 1;
          if (!isProbe) state.open -= 1;
          else if (left === 0) isProbing = false;
          change(1);
          run(call, () => change(-1));
        }),
      end: () =>
        receive("end", () => {
          isProbing = false;
          state.emptyUntil = clock.now() + EMPTY_MS;
          schedule();
        }),
    });
  };
  pump();
  return () => usedMs;
}
