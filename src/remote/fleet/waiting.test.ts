import assert from "node:assert/strict";
import { test } from "node:test";
import { openFleetEngine } from "../../../test/support/fleet/fleet.ts";
import { lastFirst, startNats } from "../../../test/support/servers/nats.ts";
import { untilTrue } from "../../../test/support/running.ts";
import type { Waiter } from "./waiting.ts";

const idle: Waiter = {
  sequence: () => undefined,
  onProgress: () => undefined,
  onAnswer: () => undefined,
  onRefused: () => undefined,
  onLost: () => undefined,
};

test("many waiting calls are looked for a few at a time, and all of them after a loss of the connection", async (tt) => {
  const t = lastFirst(tt);
  const server = await startNats(t);
  const { fleet } = await openFleetEngine(t, { servers: [server.url] });
  const { names, nc } = fleet;
  const looked = new Set<string>();
  // On the same connection: another one could come back later, and miss what is looked for first.
  nc.subscribe(`$JS.API.STREAM.MSG.GET.${names.answers}`, {
    callback: (_error, message) => void looked.add(message.string()),
  });
  const startedAt = performance.now();
  const waitFor = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) fleet.waiting.add(`k${index}`, idle);
  };
  waitFor(0, 500);
  await untilTrue("all are looked for", () => looked.size === 500);
  assert.ok(performance.now() - startedAt > 2900, "200 in a second, after the first second");
  waitFor(500, 5000);
  looked.clear();
  await server.kill();
  await server.restart();
  const restartedAt = performance.now();
  await untilTrue("all are looked for again", () => looked.size === 5000);
  assert.ok(performance.now() - restartedAt < 20_000, "at 200 in a second they would take 25 s");
});

for (const isBehind of [false, true])
  test(`of 10 000 waiting calls, one whose answer was lost is found before most are looked for${isBehind ? ", behind an older call in the queue" : ""}`, async (tt) => {
    const t = lastFirst(tt);
    const server = await startNats(t);
    const { fleet } = await openFleetEngine(t, { servers: [server.url] });
    const { names, js, nc } = fleet;
    let looks = 0;
    nc.subscribe(`$JS.API.STREAM.MSG.GET.${names.answers}`, { callback: () => void (looks += 1) });
    const send = async (): Promise<number> => (await js.publish(names.callSubject("none", "normal"), "")).seq;
    if (isBehind) await send();
    const sequence = await send();
    for (let index = 0; index < 10_000; index += 1) fleet.waiting.add(`k${index}`, idle);
    const answer = new Promise((onAnswer) =>
      fleet.waiting.add("lost", { ...idle, sequence: () => sequence, onAnswer }),
    );
    await js.publish(
      names.answerSubject("lost"),
      fleet.answers.seal("lost", { state: "answered", result: "found" as never }),
    );
    await fleet.manager.streams.deleteMessage(names.calls, sequence, false);
    assert.deepEqual(await answer, { state: "answered", result: "found" });
    assert.ok(looks < 5000, `${looks} calls were looked for first`);
  });
