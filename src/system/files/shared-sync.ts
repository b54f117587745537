/** Syncs a folder; concurrent callers share one sync. */
export type SharedSync = (folder: string, sync: () => Promise<void>) => Promise<void>;

/**
 * Creates a group commit for folders. A running sync may miss changes made after its start, so callers during a sync wait
 * for the next one, which they share. Never resolves before a sync that started after the call.
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
    // An error of the previous sync is reported to its own callers.
    const later = current.then(begin, begin);
    next.set(folder, later);
    return later;
  };
}
