/** Lets calls run when it is their turn. */
export interface Turns {
  /** Runs work `together` with its neighbours, or `alone`: after all before it, before all after it. */
  take<T>(kind: "together" | "alone", work: () => Promise<T>): Promise<T>;
}

/** At most `limit` run at a time; turns are taken in the order in which they were asked for. `work` must not reject. */
export function createTurns(limit: number): Turns {
  const waiting: { readonly kind: "together" | "alone"; readonly start: () => void }[] = [];
  let running = 0;
  let isAlone = false;
  const startNext = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (isAlone || running >= limit || (next.kind === "alone" && running > 0)) return;
      waiting.shift();
      running += 1;
      isAlone = next.kind === "alone";
      next.start();
    }
  };
  return {
    take: (kind, work) =>
      new Promise((resolve) => {
        const run = async (): Promise<void> => {
          const value = await work();
          running -= 1;
          isAlone = false;
          resolve(value);
          startNext();
        };
        waiting.push({ kind, start: () => void run() });
        startNext();
      }),
  };
}
