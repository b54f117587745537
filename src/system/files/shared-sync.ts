/** Runs `sync` for a folder, once for all who ask while the one before is under way. */
export type SharedSync = (folder: string, sync: () => Promise<void>) => Promise<void>;

/**
 * Group commit for folders. A sync that has begun may miss a change made after its beginning, so whoever asks while
 * one is under way waits for the next, which all of them share. Never answers before a sync that began later than the
 * question.
 */
export function createSharedSync(): SharedSync {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  function start(folder: string, sync: () => Promise<void>): Promise<void> {
    const run = sync().finally(() => {
      if (running.get(folder) === run) running.delete(folder);
    });
    running.set(folder, run);
    return run;
  }

  return (folder, sync) => {
    const current = running.get(folder);
    if (current === undefined) return start(folder, sync);
    const waiting = next.get(folder);
    if (waiting !== undefined) return waiting;
    const begin = (): Promise<void> => {
      next.delete(folder);
      return start(folder, sync);
    };
    // Whether the one before failed is told to those who asked for it.
    const later = current.then(begin, begin);
    next.set(folder, later);
    return later;
  };
}
