/** Virtual time: work is done in the order of its time, and of two at the same time, in the order in which it was added. */
export interface Clock {
  readonly now: () => number;
  after(ms: number, work: () => void): void;
  run(untilMs: number): void;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
}

/** Processors whose time the processes that are awake share equally, each of them one processor at most. */
export interface Processors {
  /** Need not be whole. */
  readonly cores: number;
  /** For servers on these processors, as many as there are. */
  readonly threads: Threads;
  run(ms: number, then: () => void): void;
}

/** The threads of a server: what wakes waits for one in order, and has it until it sleeps. */
interface Threads {
  take(use: () => void): void;
  release(): void;
}

/** A process with one thread, or a thread of a server: each time it wakes, it handles the messages that have come. */
export interface Process {
  send(ms: number, then: () => void): void;
  /** How often it woke, its processor time, and that of messages alone. */
  readonly used: { turns: number; ms: number; messagesMs: number };
}

export function createClock(): Clock {
  const heap: Entry[] = [];
  let [now, order] = [0, 0];
  return {
    now: () => now,
    after: (ms, work) => push(heap, { at: now + ms, order: (order += 1), work }),
    run(untilMs) {
      for (let next = heap[0]; next !== undefined && next.at <= untilMs; next = heap[0]) {
        pop(heap);
        now = next.at;
        next.work();
      }
      now = untilMs;
    },
  };
}

export function createProcessors(clock: Clock, cores: number): Processors {
  // By the processor time that each has had when it ends: all that run together have the same from then on.
  const running: Entry[] = [];
  let [served, servedAt, order] = [0, 0, 0];
  const speed = (): number => Math.min(1, cores / running.length);
  const serve = (): void => {
    if (running.length > 0) served += (clock.now() - servedAt) * speed();
    servedAt = clock.now();
  };
  const awaitNext = (): void => {
    const next = running[0];
    if (next === undefined) return;
    const changes = (order += 1);
    clock.after(Math.max(0, next.at - served) / speed(), () => {
      // Another one came or ended first.
      if (changes !== order) return;
      serve();
      pop(running);
      awaitNext();
      next.work();
    });
  };
  return {
    cores,
    threads: createThreads(Math.ceil(cores)),
    run(ms, work) {
      serve();
      push(running, { at: served + ms, order, work });
      awaitNext();
    },
  };
}

function createThreads(count: number): Threads {
  const waiting: (() => void)[] = [];
  let [free, first] = [count, 0];
  return {
    take(use) {
      free -= 1;
      if (free >= 0) use();
      else waiting.push(use);
    },
    release() {
      free += 1;
      if (free > 0) return;
      const next = waiting[first];
      first += 1;
      if (first === 1000) {
        waiting.splice(0, first);
        first = 0;
      }
      next?.();
    },
  };
}

export interface ProcessOptions {
  /** Processor time each time it wakes, besides that of the messages. */
  readonly wakeMs: number;
  /** Of a server, which handles messages one by one until there are none; default: all that have come, then it looks again, as Node does. */
  readonly threads?: Threads | undefined;
}

export function createProcess(processors: Processors, { wakeMs, threads }: ProcessOptions): Process {
  const inbox: { readonly ms: number; readonly then: () => void }[] = [];
  let isAwake = false;
  const used = { turns: 0, ms: 0, messagesMs: 0 };
  const handle = (): void => {
    const messages = inbox.splice(0, threads === undefined ? inbox.length : 1);
    const ms = messages.reduce((sum, one) => sum + one.ms, 0);
    processors.run(ms, () => {
      used.ms += ms;
      used.messagesMs += ms;
      for (const { then } of messages) then();
      if (inbox.length > 0) return threads === undefined ? wake() : handle();
      isAwake = false;
      threads?.release();
    });
  };
  const wake = (): void => {
    used.turns += 1;
    used.ms += wakeMs;
    processors.run(wakeMs, handle);
  };
  return {
    used,
    send(ms, then) {
      inbox.push({ ms, then });
      if (isAwake) return;
      isAwake = true;
      if (threads === undefined) wake();
      else threads.take(wake);
    },
  };
}

function isBefore(one: Entry | undefined, other: Entry | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  for (let parent = (at - 1) >> 1; at > 0 && isBefore(entry, heap[parent]); parent = (at - 1) >> 1) {
    heap[at] = heap[parent] ?? entry;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const child = isBefore(heap[2 * at + 2], heap[2 * at + 1]) ? 2 * at + 2 : 2 * at + 1;
    const lower = heap[child];
    if (lower === undefined || !isBefore(lower, last)) break;
    heap[at] = lower;
    at = child;
  }
  heap[at] = last;
}
