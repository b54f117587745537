import type { OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";

/** How long a lost worker is remembered. */
const REMEMBERED_MS = 10 * 60_000;

export interface LostWorker extends Pick<WorkerAdvert, "id" | "host" | "pid" | "pool" | "running"> {
  readonly lostAt: number;
}

type Directory = Pick<OpenFleet["directory"], "workers" | "watch">;
const followed = new WeakMap<Directory, ReturnType<typeof follow>>();

/** Returns the workers of a directory that went without having been drained, since the first call. */
export function lostWorkersOf(directory: Directory): ReturnType<typeof follow> {
  const existing = followed.get(directory);
  if (existing !== undefined) return existing;
  const created = follow(directory);
  followed.set(directory, created);
  return created;
}

function follow(directory: Directory) {
  let alive = new Map(directory.workers().map((worker) => [worker.id, worker]));
  const lost = new Map<string, LostWorker>();
  directory.watch(() => {
    const now = new Map(directory.workers().map((worker) => [worker.id, worker]));
    for (const [id, { host, pid, pool, running, isDraining }] of alive)
      if (!now.has(id) && !isDraining) lost.set(id, { id, host, pid, pool, running, lostAt: Date.now() });
    for (const id of now.keys()) lost.delete(id);
    alive = now;
  });
  return {
    /** The last ones first. */
    list(at: number): readonly LostWorker[] {
      for (const [id, { lostAt }] of lost) if (lostAt < at - REMEMBERED_MS) lost.delete(id);
      return [...lost.values()].toReversed();
    },
  };
}
