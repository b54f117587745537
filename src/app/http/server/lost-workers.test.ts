import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";
import { lostWorkersOf } from "./lost-workers.ts";

test("a worker that went without being drained is remembered for ten minutes, unless it comes back", () => {
  const advert = (id: string, running = 0, isDraining = false): WorkerAdvert =>
    ({ id, host: "one", pid: 1, pool: "default", running, isDraining }) as WorkerAdvert;
  const alive = new Set<string>();
  let gone: (last: WorkerAdvert) => void = () => undefined;
  const directory = {
    isAlive: (id: string) => alive.has(id),
    watchGone(listener: (last: WorkerAdvert) => void) {
      gone = listener;
      return () => undefined;
    },
  };
  const lost = lostWorkersOf(directory);
  gone(advert("killed", 3));
  gone(advert("drained", 0, true));
  gone(advert("back"));
  alive.add("back");
  const workers = (at: number) => lost.list(at).map(({ id, running }) => [id, running]);
  assert.deepEqual(workers(Date.now()), [["killed", 3]]);
  assert.equal(lostWorkersOf(directory), lost);
  assert.deepEqual(workers(Date.now() + 11 * 60_000), []);
});
