import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine, defineTool } from "../../src/index.ts";
import { createFleetExecutor, createWorker, openNatsStore } from "../../src/doors/fleet.ts";
import { executorTools, testExecutor } from "../../src/doors/testing.ts";
import { add, FLEET_KEY, shareNats } from "../support/fleet/fleet.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const scene = shareNats();
const key = FLEET_KEY;
const log = (): void => undefined;

test("an engine of a program sends calls to a worker of a program; both declare the tool with the place fleet", async (tt) => {
  const { t, address } = await scene(tt);
  const ran: string[] = [];
  const place = defineTool({
    name: "where",
    description: "Says where it runs.",
    place: "fleet",
    reading: true,
    run: (_input, { call }) => ({ runs: ran.push(call.id) }),
  });
  const worker = await createWorker(createEngine({ tools: [place] }), { ...address, key, log, pool: "p" });
  t.after(() => worker.close());
  const fleet = createFleetExecutor({ ...address, key });
  const engine = createEngine({ tools: [place], executors: [fleet] });
  t.after(async () => {
    await engine.close();
    await fleet.close();
  });
  await untilTrue("the worker is known", async () => (await fleet.workers()).length === 1);
  const [known] = await fleet.workers();
  assert.deepEqual([known?.id, known?.pool, known?.tools], [worker.id, "p", ["where"]]);
  const result = await engine.run({ id: "1", name: "where", input: {} });
  assert.ok(result.ok, JSON.stringify(result.content));
  assert.deepEqual([result.data, result.meta.place, ran], [{ runs: 1 }, "fleet", ["1"]]);
});

test("the source of the executor has the tools of workers, and a rule sends a tool of the engine", async (tt) => {
  const { t, address } = await scene(tt);
  const workers = createEngine({ tools: [add, { ...add, name: "plus" }, { ...add, name: "hidden" }] });
  const worker = await createWorker(workers, { ...address, key, log, tools: ["add", "pl*"] });
  const fleet = createFleetExecutor({ ...address, key, rules: [{ tool: "add" }] });
  const engine = createEngine({ tools: [add], executors: [fleet], mode: "yolo" });
  engine.sources.add(fleet.source(engine), { isWatched: true });
  t.after(async () => {
    await engine.close();
    await fleet.close();
    await worker.close();
  });
  await untilTrue("the engine has plus", () => engine.get("plus") !== undefined);
  assert.equal(engine.get("hidden"), undefined);
  for (const name of ["add", "plus"]) {
    const result = await engine.run({ id: name, name, input: { a: 1, b: 2 } });
    assert.deepEqual([result.ok && result.data, result.meta.place], [{ sum: 3 }, "fleet"]);
  }
});

test("a worker of a program ends when it is closed, and takes no more calls", async (tt) => {
  const { t, address } = await scene(tt);
  const worker = await createWorker(createEngine({ tools: [add] }), { ...address, key, log });
  const fleet = createFleetExecutor({ ...address, key });
  const engine = createEngine({ tools: [add], executors: [fleet] });
  t.after(async () => {
    await engine.close();
    await fleet.close();
  });
  await untilTrue("the worker is known", async () => (await fleet.workers()).length === 1);
  await Promise.all([worker.close(), worker.close()]);
  await worker.ended;
  await untilTrue("the worker is gone", async () => (await fleet.workers()).length === 0);
  const result = await engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } }, { place: "fleet" });
  assert.equal(!result.ok && result.error.code, "UNAVAILABLE");
});

test("two programs share the store of a namespace", async (tt) => {
  const { t, address } = await scene(tt);
  const folder = temporaryFolder(t);
  const [one, other] = await Promise.all(
    ["a", "b"].map((name) => openNatsStore({ ...address, folder: `${folder}/${name}` })),
  );
  assert.ok(one !== undefined && other !== undefined);
  t.after(() => Promise.all([one.close(), other.close()]));
  const engine = createEngine({ tools: [add], journal: one.journal });
  t.after(() => engine.close());
  await engine.run({ id: "c1", name: "add", input: { a: 1, b: 2 } });
  const [record] = await other.journal.list({ callId: "c1" });
  assert.equal(record?.state, "answered");
});

const wrong = { servers: ["nats://127.0.0.1:1"], key };
const refused: readonly (readonly [string, () => unknown, object])[] = [
  [
    "an option that is misspelt",
    () => createFleetExecutor({ ...wrong, sever: [] } as object as typeof wrong),
    { message: /unknown option "sever"/, hint: /did you mean servers/ },
  ],
  [
    "no server",
    () => createFleetExecutor({ servers: [], key }),
    { message: /servers: expected at least one address/ },
  ],
  [
    "an address of another protocol",
    () => createFleetExecutor({ servers: ["http://x/y"], key }),
    { message: /invalid address "http:/ },
  ],
  [
    "a name that would be a part of another subject",
    () => createFleetExecutor({ ...wrong, namespace: "a.>" }),
    { message: /namespace: invalid name "a\.>"/ },
  ],
  ["a short key", () => createFleetExecutor({ ...wrong, key: "short" }), { message: /has 5 characters/ }],
  [
    "a rule with an unknown place",
    () => createFleetExecutor({ ...wrong, rules: [{ place: "flet" as "fleet" }] }),
    { message: /rules\[0\]: place/, hint: /did you mean fleet/ },
  ],
  [
    "a limit that is text",
    () => createFleetExecutor({ ...wrong, pools: { gpu: { concurrency: "4" as unknown as number } } }),
    { message: /pools\.gpu: concurrency/ },
  ],
  [
    "a certificate that is not a path",
    () => createFleetExecutor({ ...wrong, tls: { ca: 1 as unknown as string } }),
    { message: /tls: ca/ },
  ],
  [
    "a pool of a worker",
    () => createWorker(createEngine(), { ...wrong, pool: "a b" }),
    { message: /pool: invalid name "a b"/ },
  ],
  [
    "a worker without a key",
    () => createWorker(createEngine(), { servers: wrong.servers } as typeof wrong),
    { code: "INVALID_INPUT" },
  ],
  [
    "a store without a folder",
    () => openNatsStore({ servers: wrong.servers } as never),
    { code: "INVALID_INPUT" },
  ],
];

for (const [what, call, error] of refused)
  test(`the fleet of a program refuses ${what}`, async () => {
    await assert.rejects(async () => call(), { code: "INVALID_INPUT", ...error });
  });

test("without servers a store, a worker's start and a call are UNAVAILABLE", async (t) => {
  const fleet = createFleetExecutor(wrong);
  const engine = createEngine({ tools: [add], executors: [fleet], retry: { attempts: 1 } });
  const result = await engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } }, { place: "fleet" });
  assert.equal(!result.ok && result.error.code, "UNAVAILABLE");
  await engine.close();
  await fleet.close();
  const store = openNatsStore({ servers: wrong.servers, folder: temporaryFolder(t) });
  await assert.rejects(store, { code: "UNAVAILABLE" });
  const signal = AbortSignal.abort();
  await assert.rejects(createWorker(createEngine(), { ...wrong, log, signal }), { code: "UNAVAILABLE" });
});

let address: Awaited<ReturnType<typeof scene>>["address"];

testExecutor(
  async () => {
    const fleet = createFleetExecutor({ ...address, key });
    const tools = createEngine({ tools: executorTools("fleet"), retry: { attempts: 1 } });
    const worker = await createWorker(tools, { ...address, key, log });
    await untilTrue("the worker is known", async () => (await fleet.workers()).length === 1);
    const close = async (): Promise<void> => {
      await fleet.close();
      await worker.close();
    };
    return Object.assign(fleet, { [Symbol.asyncDispose]: close });
  },
  {
    name: "the executor of a fleet",
    test: (name, run) =>
      test(name, async (t) => {
        ({ address } = await scene(t));
        await run();
      }),
  },
);
