import type { Task } from "../parts/task.ts";

/** Work on a conversation that must not meet a request or a call. */
export interface BetweenTurns {
  /** Does it when the running task next has a moment for it. */
  add<T>(work: (task: Task) => Promise<T>): Promise<T>;
  /** Never rejects: what goes wrong is told to whoever gave the work. */
  readonly doAll: (task: Task) => Promise<void>;
}

export function createBetweenTurns(): BetweenTurns {
  const waiting: ((task: Task) => Promise<unknown>)[] = [];
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push((task) => work(task).then(resolve, reject));
      }),
    async doAll(task) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next(task);
    },
  };
}
