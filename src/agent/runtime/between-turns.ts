import type { Task } from "./task.ts";

/** Queues work on a conversation that must not overlap with a request or a call. */
export interface BetweenTurns {
  /** Runs the work at the next pause of the running task, and settles with its result. */
  add<T>(work: (task: Task) => Promise<T>): Promise<T>;
  /** Never rejects: errors go to the caller of `add`. */
  readonly runAll: (task: Task) => Promise<void>;
}

export function createBetweenTurns(): BetweenTurns {
  const waiting: ((task: Task) => Promise<unknown>)[] = [];
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push((task) => work(task).then(resolve, reject));
      }),
    async runAll(task) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next(task);
    },
  };
}
