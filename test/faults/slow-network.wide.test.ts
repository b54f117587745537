import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createEngine } from "../../src/index.ts";
import { connectFleet } from "../../src/remote/fleet/connect.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { openStoreInNats } from "../../src/store/nats/open-nats-store.ts";
import { startNats } from "../support/servers/nats.ts";
import { startSlowNetwork } from "../support/servers/slow-network.ts";
import { untilTrue } from "../support/running.ts";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** In each direction. */
const DELAYS = isLong ? [100, 500, 1000, 5000] : [100, 1500];
const TIMEOUTS = isLong ? [500, 2000, 30_000] : [500];
const AT_ONCE = isLong ? 64 : 4;
/** What a machine may take besides. */
const SLACK_MS = 5000;
const MEGABYTE = 1024 * 1024;

test("with a slow network to the store, every answer is true and comes in time, and what waits is bounded", async (t) => {
  const server = await startNats(t);
  const network = await startSlowNetwork(t, Number(new URL(server.url).port));
  const fleet = await connectFleet({ servers: [network.address] }, "test");
  const store = await openStoreInNats(fleet, { folder: temporaryFolder(t) });
  const ran: string[] = [];
  const tools = (["none", "unsafe"] as const).map((effects) =>
    defineTool({
      name: effects,
      description: "Notes that it ran.",
      risk: "low",
      effects,
      run: (_input, context) => void ran.push(context.call.id),
    }),
  );
  const engine = createEngine({ tools, journal: store.journal });
  const outcomes = new Map<string, string>();
  const before = process.memoryUsage().heapUsed;
  for (const delayMs of DELAYS)
    for (const timeoutMs of TIMEOUTS) {
      network.delay(delayMs);
      const startedAt = performance.now();
      const calls = Array.from({ length: AT_ONCE }, (_, index) => ({
        id: `${delayMs}-${timeoutMs}-${index}`,
        name: index % 2 === 0 ? "none" : "unsafe",
        input: {},
      }));
      const answers = await Promise.all(calls.map((call) => engine.run(call, { timeoutMs })));
      const took = performance.now() - startedAt;
      // Once for the record of the call, once for that of its answer.
      assert.ok(took < 2 * Math.max(timeoutMs, 1000) + SLACK_MS, `${took} ms for ${timeoutMs} ms`);
      for (const answer of answers) {
        const outcome = answer.ok ? "ok" : answer.error.code;
        outcomes.set(answer.callId, outcome);
        assert.ok(answer.ok || answer.error.code === "UNAVAILABLE", JSON.stringify(answer));
        assert.equal(
          ran.filter((id) => id === answer.callId).length,
          answer.ok ? 1 : 0,
          JSON.stringify(answer),
        );
      }
      const counts = Map.groupBy(answers, ({ ok }) => ok);
      t.diagnostic(
        `${delayMs} ms, deadline ${timeoutMs} ms: ${counts.get(true)?.length ?? 0} ok, ${counts.get(false)?.length ?? 0} did not run, ${Math.round(took)} ms`,
      );
      if (delayMs === 100) assert.equal(counts.get(true)?.length, AT_ONCE);
    }
  assert.ok(process.memoryUsage().heapUsed - before < 64 * MEGABYTE);
  network.delay(0);
  await engine.close();
  await store.close();
  await fleet.close();
  await checkRecords(t, server.url, outcomes);
});

/** Reads the store by a connection of its own: what was answered is recorded as it was answered. */
async function checkRecords(
  t: TestContext,
  url: string,
  outcomes: ReadonlyMap<string, string>,
): Promise<void> {
  const fleet = await connectFleet({ servers: [url] }, "test");
  const read = async () => {
    // A call whose record came too late has an owner that has ended, which the next one to open the store notices.
    const store = await openStoreInNats(fleet, { folder: temporaryFolder(t), leaseMs: 100 });
    const records = await store.journal.list({ limit: 10_000 });
    await store.close();
    return records;
  };
  let records = await read();
  await untilTrue("no call is open", async () => {
    records = await read();
    return records.every(({ state }) => state !== "open");
  });
  await fleet.close();
  const recorded = new Map(
    records.map(({ callId, state, answer }) => [
      callId,
      answer?.ok === true ? "ok" : (answer?.error.code ?? state),
    ]),
  );
  for (const [id, outcome] of outcomes) {
    const found = recorded.get(id);
    if (outcome === "ok") assert.equal(found, "ok", id);
    // Neither may the servers have heard of a call that did not run, nor of its answer.
    else assert.ok([undefined, "INTERRUPTED", outcome].includes(found), `${id}: ${found}`);
  }
}
