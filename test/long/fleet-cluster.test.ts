// A cluster of three servers under failures. Takes about 6 minutes on two idle cores.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runChaos } from "../support/fleet/fleet-chaos.ts";
import { checkLedger } from "../support/fleet/fleet-ledger.ts";
import { hasTool, openFleetEngine, outcomeOf, type FleetEngine } from "../support/fleet/fleet.ts";
import { readLedger, startWorkerProcess } from "../support/fleet/fleet-processes.ts";
import { lastFirst, startNatsCluster, type Cleanup, type NatsServer } from "../support/servers/nats.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const EFFECTS = ["none", "idempotent", "unsafe"] as const;

/** A cluster with two workers and an engine. */
async function scene(tt: Cleanup) {
  const t = lastFirst(tt);
  const servers = await startNatsCluster(t);
  const urls = servers.map(({ url }) => url);
  const place = { servers: urls, replicas: 3, ledger: join(temporaryFolder(t), "ledger"), concurrency: 8 };
  const workers = [await startWorkerProcess(t, place), await startWorkerProcess(t, place)];
  const on = await openFleetEngine(t, place);
  await hasTool(on, "write_unsafe");
  return { t, place, servers, workers, on };
}

/** Starts calls of all effects that take a while; returns their answers. */
function send({ engine }: FleetEngine, prefix: string, count: number, ms: number) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const effects = EFFECTS[index % EFFECTS.length] ?? "none";
      const id = `${prefix}${index}`;
      const call = { id, name: `write_${effects}`, input: { id, ms } };
      return { id, effects, outcome: outcomeOf(await engine.run(call, { timeoutMs: 300_000 })) };
    }),
  );
}

const hasBegun = (ledger: string, prefix: string, count: number): Promise<void> =>
  untilTrue(`${count} calls ${prefix} have begun`, () => {
    const ids = readLedger(ledger).flatMap(([, step, id]) =>
      step === "begin" && id !== undefined ? [id] : [],
    );
    return new Set(ids.filter((id) => id.startsWith(prefix))).size >= count;
  });

/** Returns the server that leads a stream, once there is one. */
async function leaderOf(
  on: FleetEngine,
  servers: readonly NatsServer[],
  stream: string,
): Promise<NatsServer> {
  let leader: string | undefined;
  await untilTrue(`${stream} has a leader`, async () => {
    const info = await on.fleet.manager.streams.info(stream).catch(() => undefined);
    leader = info?.cluster?.leader;
    return leader !== undefined;
  });
  // Servers are named n1, n2 and n3.
  return servers[Number(leader?.slice(1)) - 1] ?? assert.fail(leader);
}

test("calls in flight are answered once after kill -9 of the leader of each stream", async (tt) => {
  const { place, servers, on } = await scene(tt);
  const { calls, answers } = on.fleet.names;
  for (const [index, stream] of [calls, answers].entries()) {
    const prefix = `leader${index}-`;
    const running = send(on, prefix, 24, 1500);
    await hasBegun(place.ledger, prefix, 12);
    const leader = await leaderOf(on, servers, stream);
    await leader.kill();
    const during = send(on, `${prefix}during-`, 12, 10);
    checkLedger(place.ledger, [...(await running), ...(await during)]);
    await leader.restart();
  }
});

test("all servers are killed and started one after the other under load", async (tt) => {
  const { place, servers, on } = await scene(tt);
  const answered = [];
  for (const [index, server] of servers.entries()) {
    const running = send(on, `rolling${index}-`, 30, 500);
    await hasBegun(place.ledger, `rolling${index}-`, 6);
    await server.restart();
    answered.push(...(await running));
    await leaderOf(on, servers, on.fleet.names.calls);
  }
  checkLedger(place.ledger, answered);
});

test("a minority that is cut off loses nothing; without a majority calls wait for it", async (tt) => {
  const { place, servers, on } = await scene(tt);
  // The engine has to find another server.
  const isOfEngine = ({ url }: NatsServer): boolean => url.endsWith(on.fleet.nc.getServer());
  const [one, two] = servers.toSorted((a, b) => Number(isOfEngine(b)) - Number(isOfEngine(a)));
  assert.ok(one !== undefined && two !== undefined && isOfEngine(one));
  const before = send(on, "minority-", 24, 1000);
  await hasBegun(place.ledger, "minority-", 6);
  one.pause();
  const answered = [...(await before), ...(await send(on, "during-", 12, 10))];
  two.pause();
  const waiting = send(on, "majority-", 12, 10);
  let early: unknown;
  void waiting.then((all) => (early = all));
  await sleep(3000);
  assert.equal(early, undefined);
  one.resume();
  two.resume();
  checkLedger(place.ledger, [...answered, ...(await waiting)]);
});

test("a frozen worker's late answer is no second one, and its late acknowledgement loses no call", async (tt) => {
  const { t, place, workers, on } = await scene(tt);
  const running = send(on, "frozen-", 24, 2000);
  await hasBegun(place.ledger, "frozen-", 12);
  const [first, second] = workers;
  assert.ok(first !== undefined && second !== undefined);
  const mine = readLedger(place.ledger).flatMap(([effects, , id, pid]) =>
    effects !== "unsafe" && id !== undefined && pid === String(first.pid) ? [id] : [],
  );
  first.child.kill("SIGSTOP");
  const runsElsewhere = (): boolean =>
    mine.some((id) =>
      readLedger(place.ledger).some((line) => line[2] === id && line[3] === String(second.pid)),
    );
  await untilTrue("a safe call runs on the other worker", runsElsewhere);
  // Now the first one is late, and the second one dies: a third has to finish its calls.
  first.child.kill("SIGCONT");
  await second.kill();
  await startWorkerProcess(t, place);
  const answered = await running;
  checkLedger(place.ledger, answered);
  assert.deepEqual(await send(on, "frozen-", 24, 2000), answered);
});

for (const { calls, workers, killed } of [
  { calls: 10_000, workers: 8, killed: "workers" },
  { calls: 2000, workers: 4, killed: "workers and servers" },
])
  test(`${calls} calls through a cluster and ${workers} workers have one answer each while ${killed} are killed at random`, async (tt) => {
    const t = lastFirst(tt);
    const seed = Math.floor(Math.random() * 2 ** 31);
    tt.diagnostic(`seed ${seed}`);
    const servers = await startNatsCluster(t);
    const interrupted = await runChaos(t, {
      servers: servers.map(({ url }) => url),
      replicas: 3,
      workers,
      calls,
      parallel: 8 * workers,
      seed,
      everyAnswers: 250,
      async during(signal) {
        for (let round = seed; killed.includes("servers") && !signal.aborted; round += 1) {
          await servers[round % servers.length]?.restart();
          await sleep(5000, undefined, { signal }).catch(() => undefined);
        }
      },
    });
    tt.diagnostic(`${interrupted} unsafe calls were interrupted`);
  });
