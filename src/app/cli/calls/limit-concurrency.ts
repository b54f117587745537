/** Returns a limit that runs at most `limit` at a time and starts work in call order. `work` must not reject. */
export function limitConcurrency(limit: number) {
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
    /** Runs work `together` with other work, or `alone`: after all work before it, before all work after it. */
    run: <T>(kind: "together" | "alone", work: () => Promise<T>): Promise<T> =>
      new Promise((resolve) => {
        const start = async (): Promise<void> => {
          const value = await work();
          running -= 1;
          isAlone = false;
          resolve(value);
          startNext();
        };
        waiting.push({ kind, start: () => void start() });
        startNext();
      }),
  };
}
