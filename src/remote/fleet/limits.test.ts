import assert from "node:assert/strict";
import { test } from "node:test";
import { openFleetEngine } from "../../../test/support/fleet/fleet.ts";
import { lastFirst, startNats } from "../../../test/support/servers/nats.ts";
import { untilTrue } from "../../../test/support/running.ts";

const CALLS = 12;

test("calls enter a limit in order; one that two engines asked for counts once; a cancelled one takes no place", async (tt) => {
  const t = lastFirst(tt);
  const { url } = await startNats(t);
  const [one, other] = [
    await openFleetEngine(t, { servers: [url] }),
    await openFleetEngine(t, { servers: [url] }),
  ];
  const ending = new AbortController();
  const call = (key: string, signal = ending.signal) => ({ key, expiresAt: Date.now() + 60_000, signal });
  const enter = (on: typeof one, key: string, signal?: AbortSignal) =>
    on.fleet.enterLimit("the pool p", { concurrency: 1 }, call(key, signal));
  const [leave] = [await enter(one, "held"), await enter(other, "held")];
  const order: number[] = [];
  const waiting = Array.from({ length: CALLS }, async (_, index) => {
    const leaveNext = await enter(one, `k${index}`);
    order.push(index);
    leaveNext();
  });
  const cancelled = new AbortController();
  const gone = enter(other, "gone", cancelled.signal);
  cancelled.abort(new Error("cancelled"));
  await assert.rejects(gone, /cancelled/);
  assert.deepEqual(order, []);
  leave();
  await Promise.all(waiting);
  assert.deepEqual(
    order,
    Array.from({ length: CALLS }, (_, index) => index),
  );
  await untilTrue("all have left", async () => {
    const entry = `limit.${Buffer.from("the pool p").toString("base64url")}`;
    const use = (await one.fleet.limits.get(entry))?.json<{ running: object }>();
    return Object.keys(use?.running ?? { none: 1 }).length === 0;
  });
});
