import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../../../test/support/fleet/fleet.ts";
import { createChoice } from "./route.ts";
import { versionOf, type WorkerAdvert } from "./wire.ts";

test("a choice of a pool is repeated for a short time, and made again when workers change", () => {
  const tool = `add@${versionOf(add)}` as const;
  const worker = (pool: string, running: number): WorkerAdvert => ({
    id: pool,
    pool,
    running,
    labels: [],
    sentAt: 0,
    tools: [tool],
    concurrency: 8,
    isDraining: false,
    release: "1",
    host: "h",
    pid: 1,
    startedAt: 1,
  });
  let [workers, time, looks]: [WorkerAdvert[], number, number] = [[worker("a", 1), worker("b", 2)], 0, 0];
  let changed = (): void => undefined;
  const directory = {
    workers: () => ((looks += 1), workers),
    watch: (listener: () => void) => ((changed = listener), () => undefined),
    ignored: () => ({ count: 2, reason: "it is old" }),
  };
  const choose = createChoice(directory, () => time);
  assert.deepEqual([choose(tool, {}), choose(tool, {}), looks], ["a", "a", 1]);
  assert.equal(choose(tool, { pool: "b" }), "b");
  workers = [worker("a", 3), worker("b", 2)];
  time = 10_000;
  assert.equal(choose(tool, {}), "b");
  workers = [worker("a", 3)];
  changed();
  assert.equal(choose(tool, {}), "a");
  workers = [];
  changed();
  assert.throws(
    () => choose(tool, {}),
    /no worker is running; 2 adverts ignored, the last because it is old$/,
  );
  workers = [worker("a", 0)];
  assert.equal(choose(tool, {}), "a");
});
