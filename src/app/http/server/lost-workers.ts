import type { OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";

/** How long a lost worker is remembered. */
const REMEMBERED_MS = 10 * 60_000;

export interface LostWorker extends Pick<WorkerAdvert, "id" | "host" | "pid" | "pool" | "running"> {
  readonly lostAt: number;
}

type Directory = Pick<OpenFleet["directory"], "isAlive" | "watchGone">;
const followed = new WeakMap<Directory, ReturnType<typeof follow>>();

/** Returns the workers of a directory that went without having been drained, since the first call: the server calls it as it opens the fleet. */
export function lostWorkersOf(directory: Directory): ReturnType<typeof follow> {
  const existing = followed.get(directory);
  if (existing !== undefined) return existing;
  const created = follow(directory);
  followed.set(directory, created);
  return created;
}

function follow({ isAlive, watchGone }: Directory) {
  const lost = new Map<string, LostWorker>();
  const forget = (now: number): void => {
    for (const [id, { lostAt }] of lost) if (lostAt < now - REMEMBERED_MS) lost.delete(id);
  };
  watchGone(({ id, host, pid, pool, running, isDraining }) => {
    const lostAt = Date.now();
    forget(lostAt);
    // The last one is the newest, also if it was lost before.
    lost.delete(id);
    if (!isDraining) lost.set(id, { id, host, pid, pool, running, lostAt });
  });
  return {
    /** The last ones first. */
    list(now: number): readonly LostWorker[] {
      forget(now);
      return [...lost.values()].filter(({ id }) => !isAlive(id)).toReversed();
    },
  };
}
