import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkerAdvert } from "../../../remote/fleet/wire.ts";
import { lostWorkersOf } from "./lost-workers.ts";

test("a worker that went without being drained is remembered for ten minutes, unless it comes back", () => {
  const advert = (id: string, isDraining = false): WorkerAdvert =>
    ({ id, host: "one", pid: 1, pool: "default", running: 2, isDraining }) as WorkerAdvert;
  let workers = [advert("killed"), advert("drained", true), advert("back")];
  let changed = (): void => undefined;
  const directory = {
    workers: () => workers,
    watch(listener: () => void) {
      changed = listener;
      return () => undefined;
    },
  };
  const lost = lostWorkersOf(directory);
  workers = [];
  changed();
  workers = [advert("back")];
  changed();
  const ids = (at: number): readonly string[] => lost.list(at).map(({ id }) => id);
  assert.deepEqual(ids(Date.now()), ["killed"]);
  assert.equal(lostWorkersOf(directory), lost);
  assert.deepEqual(ids(Date.now() + 11 * 60_000), []);
});
