import assert from "node:assert/strict";
import { test } from "node:test";
import { lastFirst, startNats } from "../../../test/support/nats.ts";
import { connectFleet } from "./connect.ts";
import { isWorkerAlive, openDirectory } from "./directory.ts";
import { openStreams } from "./streams.ts";

test("a directory opens while a worker replaces its advert; a worker without one is not alive", async (tt) => {
  const t = lastFirst(tt);
  const { url } = await startNats(t);
  const [engine, worker] = await Promise.all(
    ["engine", "worker"].map(async (name) => {
      const connection = await connectFleet({ servers: [url] }, name);
      t.after(() => connection.close());
      return openStreams(connection);
    }),
  );
  assert.ok(engine !== undefined && worker !== undefined);
  const advert = JSON.stringify({ tools: [], labels: [] });
  await worker.workers.put("w", advert);
  const done = new AbortController();
  const putting = (async () => {
    while (!done.signal.aborted) await worker.workers.put("w", advert);
  })();
  for (let round = 0; round < 40; round += 1) {
    const directory = await openDirectory(engine);
    assert.ok(directory.isAlive("w"));
    directory.close();
  }
  done.abort();
  await putting;
  assert.ok(await isWorkerAlive(engine, "w"));
  await worker.workers.delete("w");
  assert.ok(!(await isWorkerAlive(engine, "w")));
  assert.ok(!(await isWorkerAlive(engine, "unknown")));
});
