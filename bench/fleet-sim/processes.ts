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

/** Processors that processes share; those that wait for one are served in order. */
export interface Processors {
  readonly count: number;
  /** 1, or less if other work uses a part of each. */
  readonly speed: number;
  /** Calls back with a processor, which it holds until `release`. */
  take(use: () => void): void;
  release(): void;
}

/** A process with one thread, or a thread of a server: each time it wakes, it handles all messages that have come. */
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

/** Creates processors from a number of them that need not be whole. */
export function createProcessors(cores: number): Processors {
  const count = Math.ceil(cores);
  const waiting: (() => void)[] = [];
  let [free, first] = [count, 0];
  return {
    count,
    speed: cores / count,
    take(use) {
      if (free > 0) {
        free -= 1;
        use();
      } else waiting.push(use);
    },
    release() {
      const next = waiting[first];
      if (next === undefined) free += 1;
      else {
        first += 1;
        if (first === 1000) {
          waiting.splice(0, first);
          first = 0;
        }
        next();
      }
    },
  };
}

export interface ProcessOptions {
  /** Processor time each time it wakes, besides that of the messages. */
  readonly wakeMs: number;
  /** Sends what follows from a message at once; default: when it has handled all. */
  readonly isPrompt?: boolean;
}

export function createProcess(
  clock: Clock,
  processors: Processors,
  { wakeMs, isPrompt = false }: ProcessOptions,
): Process {
  let inbox: { readonly ms: number; readonly then: () => void }[] = [];
  let isAwake = false;
  const used = { turns: 0, ms: 0, messagesMs: 0 };
  const turn = (): void => {
    const messages = inbox;
    inbox = [];
    let total = wakeMs;
    const ends: (() => void)[] = [];
    for (const { ms, then } of messages) {
      total += ms;
      const done = (): void => {
        used.messagesMs += ms;
        then();
      };
      ends.push(done);
      if (isPrompt) clock.after(total / processors.speed, done);
    }
    clock.after(total / processors.speed, () => {
      used.turns += 1;
      used.ms += total;
      processors.release();
      if (!isPrompt) for (const done of ends) done();
      if (inbox.length > 0) processors.take(turn);
      else isAwake = false;
    });
  };
  return {
    used,
    send(ms, then) {
      inbox.push({ ms, then });
      if (isAwake) return;
      isAwake = true;
      processors.take(turn);
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
