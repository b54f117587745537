import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { AnswerOf } from "../../src/app/http/api.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { FLEET_KEY, outcomeOf, shareNats } from "../support/fleet/fleet.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, startCli, until, type Place } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

const scene = shareNats();

interface Listed {
  readonly workers: readonly {
    readonly id: string;
    readonly pool: string;
    readonly labels: readonly string[];
  }[];
  readonly queues: readonly { readonly pool: string; readonly lane: string }[];
}

function configure(place: Place, fleet: object, more: object = {}): void {
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ fleet, ...more }));
}

/** A machine of its own, with the key of the fleet. */
function machine(t: TestContext, address: object, more: object = {}): Place {
  const place = createPlace(t);
  const key = join(place.home, "key");
  writeFileSync(key, FLEET_KEY);
  configure(place, { ...address, key }, more);
  return place;
}

const workersOf = async (place: Place): Promise<Listed["workers"]> =>
  (JSON.parse((await runCli(place, ["fleet", "--json"])).stdout) as Listed).workers;

test("a worker takes calls by --place fleet, is listed, and ends when it is drained", async (tt) => {
  const { address } = await scene(tt);
  const place = machine(tt, address);
  place.write("a.txt", "one\n");
  const early = await runCli(place, ["call", "read_file", "path=a.txt", "--place", "fleet", "--json"]);
  assert.match(early.stdout, /"code": ?"UNAVAILABLE".*no worker is running/s);
  const args = "worker --pool p1 --labels x,y --concurrency 2 --tools read_*,nope*";
  const serving = runCli(place, args.split(" "));
  await untilTrue("the worker is listed", async () => (await workersOf(place)).length === 1);
  const [worker] = await workersOf(place);
  assert.deepEqual([worker?.pool, worker?.labels], ["p1", ["x", "y"]]);
  const read = await runCli(place, ["call", "read_file", "path=a.txt", "--place", "fleet", "--json"]);
  const result = JSON.parse(read.stdout) as { ok: boolean; meta: { place: string } };
  assert.deepEqual([result.ok, result.meta.place], [true, "fleet"]);
  const text = await runCli(place, ["fleet"]);
  assert.match(text.stdout, /^worker \w{16}: pool p1 \[x, y\], \d of 2 slots, \d+ tools/);
  assert.match(text.stdout, /queue p1\.normal: 0 waiting/);
  assert.equal((await runCli(place, ["fleet", "dead"])).stdout, "no dead letters\n");
  const unknown = await runCli(place, ["fleet", "retry", "nothing"]);
  assert.match(unknown.stderr, /there is no dead letter nothing/);
  assert.match((await runCli(place, ["fleet", "drain", "nobody"])).stderr, /there is no worker "nobody"/);
  const drained = await runCli(place, ["fleet", "drain", worker?.id ?? ""]);
  assert.equal(drained.code, 0, drained.stderr);
  const { code, stdout, stderr } = await serving;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^worker \w{16}: pool p1, concurrency 2\n$/);
  assert.match(stderr, /no tool matches "nope\*"/);
  assert.doesNotMatch(stderr, /read_\*|lost the connection/);
  assert.deepEqual(await workersOf(place), []);
});

test("a serve shows the calls, approvals and workers of engines on other machines, and answers for them", async (t) => {
  const { address } = await scene(t);
  const serving = createPlace(t);
  assert.equal((await runCli(serving, ["call", "ls"])).code, 0);
  const key = join(serving.home, "key");
  writeFileSync(key, FLEET_KEY);
  configure(serving, { ...address, key });
  const [local, shared] = [machine(t, address), machine(t, address, { store: "nats" })];
  const served = await startServe(t, serving);
  const stream = await served.events();
  for (const [place, id] of [
    [local, "of-local"],
    [shared, "of-shared"],
  ] as const) {
    const writing = runCli(place, ["call", "write_file", "path=a.txt", `content=${id}`, "--queue"]);
    const asked = () =>
      stream.received.flatMap((one) => (one.type === "approval.pending" ? [one.approval] : []));
    await until("the approval is shown", () =>
      asked().some(({ request }) => request.input["content"] === id),
    );
    const pending = asked().at(-1);
    const path = `/api/approvals/${pending?.id}`;
    assert.equal((await served.send<"decide">("POST", path, { choice: "once" })).status, 200);
    const { code, stderr } = await writing;
    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(join(place.folder, "a.txt"), "utf8"), id);
    await until("its events arrive", () =>
      stream.received.some((one) => one.type === "call.answered" && one.callId === pending?.request.callId),
    );
    await until("the request is closed", () =>
      stream.received.some((one) => one.type === "approval.closed" && one.id === pending?.id),
    );
    const { body } = await served.send<"call">("GET", `/api/calls/${pending?.request.callId}`);
    assert.deepEqual([body.call.outcome, body.verdict?.kind, body.call.isHere], ["ok", "ask", false]);
    assert.ok(body.events.some(({ type }) => type === "approval.asked"));
  }
  const { body: page } = await served.send<"calls">("GET", "/api/calls");
  assert.deepEqual(
    page.calls.map(({ name, outcome }) => [name, outcome]),
    [
      ["write_file", "ok"],
      ["write_file", "ok"],
      ["ls", "ok"],
    ],
    "a call from before the machine had the fleet is the last one",
  );
  const { body: own } = await served.send<"run">("POST", "/api/calls", {
    name: "think",
    input: { thought: "t" },
  });
  assert.ok("ok" in own && own.ok);
  const names: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const { body }: { body: AnswerOf<"calls"> } = await served.send<"calls">(
      "GET",
      `/api/calls?limit=1&before=${next}`,
    );
    names.push(...body.calls.map(({ name }) => name));
    next = body.next;
  }
  assert.deepEqual(names, ["think", "write_file", "write_file", "ls"], "a copied call is listed once");
  await untilTrue("all are counted, and the copied one once", async () => {
    const { body: counts } = await served.send<"counts">("GET", "/api/counts");
    return counts.total.calls === 4 && !counts.isPartial;
  });
  const working = runCli(local, ["worker", "--pool", "p2", "--labels", "x"]);
  await until("workers change", () => stream.received.some(({ type }) => type === "fleet.changed"));
  const { body: fleet } = await served.send<"fleet">("GET", "/api/fleet");
  const [worker] = fleet.workers;
  assert.deepEqual([worker?.pool, worker?.labels, worker?.state], ["p2", ["x"], "ready"]);
  assert.ok(worker?.tools.includes("read_file"));
  assert.deepEqual(fleet.queues.map(({ lane }) => lane).toSorted(), ["high", "low", "normal"]);
  for (const [method, path, what] of [
    ["POST", "/api/fleet/dead/none/retry", /there is no dead letter/],
    ["DELETE", "/api/fleet/dead/none", /there is no dead letter/],
    ["POST", "/api/fleet/workers/none/drain", /there is no worker/],
  ] as const) {
    const unknown = await served.send<"retryDead">(method, path);
    assert.equal(unknown.status, 404, path);
    assert.match(JSON.stringify(unknown.body), what);
  }
  const drained = await served.send<"drainWorker">("POST", `/api/fleet/workers/${worker?.id}/drain`);
  assert.equal(drained.status, 200);
  assert.equal((await working).code, 0);
  assert.equal(await served.stop(), 0);
});

test(
  "a worker runs commands in its own sandbox, and after TERM it ends when its calls are done",
  { skip: withoutBoxes },
  async (tt) => {
    const { t, address } = await scene(tt);
    const place = machine(tt, address);
    mkdirSync(join(place.folder, ".toolwright"));
    place.write(".toolwright/policy.json", '{"rules": [{"path": "**/.env", "decision": "deny"}]}');
    place.write(".env", "canary");
    place.write("wait", "touch begun; while [ ! -e go ]; do sleep 0.1; done; cat .env; echo done");
    const worker = startCli(place, ["worker", "--tools", "shell", "--sandbox", "auto"]);
    t.after(() => worker.child.kill("SIGKILL"));
    await untilTrue("the worker takes calls", () => worker.shown.stdout.includes("concurrency"));
    const call = runCli(place, ["call", "shell", "command=sh wait", "--place", "fleet", "--yes"]);
    await untilTrue("the call runs", () => existsSync(join(place.folder, "begun")));
    worker.child.kill("SIGTERM");
    await untilTrue("the worker takes no more calls", async () => {
      const more = await runCli(place, [
        "call",
        "shell",
        "command=true",
        "--place",
        "fleet",
        "--yes",
        "--json",
      ]);
      return more.stdout.includes("no worker is running");
    });
    place.write("go", "");
    const { stdout, stderr } = await call;
    assert.match(stdout, /done/, stderr);
    assert.doesNotMatch(`${stdout}${stderr}`, /canary/);
    assert.equal((await worker.finished).code, 0);
  },
);

test(
  "a command that no person approved is confined on its worker as on its own machine, and needs approval if only a sandbox here allows it",
  { skip: withoutBoxes },
  async (tt) => {
    const { t, address } = await scene(tt);
    const [asking, working] = [
      machine(tt, address, { sandbox: "bubblewrap", sandboxOptions: { runsUnasked: true } }),
      machine(tt, address),
    ];
    for (const { folder } of [asking, working]) execFileSync("git", ["init", "-q"], { cwd: folder });
    // Git starts this program, unless it is told not to obey the settings of the folder.
    working.write("monitor", "#!/bin/sh\ntouch begun\n");
    chmodSync(join(working.folder, "monitor"), 0o755);
    execFileSync("git", ["config", "core.fsmonitor", "./monitor"], { cwd: working.folder });
    const worker = startCli(working, ["worker"]);
    t.after(() => worker.child.kill("SIGKILL"));
    await untilTrue("the worker takes calls", () => worker.shown.stdout.includes("concurrency"));
    const call = async (command: string, ...flags: readonly string[]): Promise<ToolResult> => {
      const args = ["call", "shell", `command=${command}`, "--place", "fleet", "--json", ...flags];
      return JSON.parse((await runCli(asking, args)).stdout) as ToolResult;
    };
    const hasBegun = (): boolean => existsSync(join(working.folder, "begun"));
    const read = await call("git status --short");
    assert.deepEqual([outcomeOf(read), read.meta.place, hasBegun()], ["ok", "fleet", false]);
    assert.match(outcomeOf(await call("touch made")), /^DENIED .*asks before such calls/);
    assert.equal(existsSync(join(working.folder, "made")), false);
    // What a person approves runs as it is.
    assert.deepEqual(
      [outcomeOf(await call("git status --short", "--mode", "ask", "--yes")), hasBegun()],
      ["ok", true],
    );
  },
);

test("with fleet.share false, calls and approvals stay out of the shared events and records", async (t) => {
  const { address } = await scene(t);
  const [silent, open] = [machine(t, { ...address, share: false }), machine(t, address)];
  const served = await startServe(t, machine(t, address));
  const stream = await served.events();
  open.write("a.txt", "one\n");
  assert.equal((await runCli(silent, ["call", "ls"])).code, 0);
  const shown = () =>
    stream.received.flatMap((one) => (one.type === "call.answered" ? [one.result.name] : []));
  await untilTrue("a call of the machine that shares is shown", async () => {
    // A command that ends before the servers have answered is not shown.
    assert.equal((await runCli(open, ["call", "read_file", "path=a.txt"])).code, 0);
    return shown().length > 0;
  });
  const { body } = await served.send<"calls">("GET", "/api/calls");
  const listed = body.calls.map(({ name }) => name);
  assert.deepEqual([...new Set([...shown(), ...listed])], ["read_file"]);
  assert.equal(await served.stop(), 0);
});

test("commands of the fleet say what is missing", async (t) => {
  const place = createPlace(t);
  assert.match((await runCli(place, ["fleet"])).stderr, /fleet\.servers is not set/);
  assert.match((await runCli(place, ["worker"])).stderr, /fleet\.servers is not set/);
  const call = await runCli(place, ["call", "ls", "--place", "fleet", "--json"]);
  assert.match(call.stdout, /NO_EXECUTOR.*fleet\.servers/s);
  configure(place, { servers: ["nats://127.0.0.1:1"], key: join(place.folder, "none") });
  for (const command of ["fleet", "worker"])
    assert.match(
      (await runCli(place, [command])).stderr,
      /fleet\.key cannot be read: ENOENT.*none.*\n {2}.*openssl rand/,
    );
  configure(place, { servers: ["nats://127.0.0.1:1"] });
  assert.match((await runCli(place, ["fleet"])).stderr, /cannot be reached at nats:\/\/127\.0\.0\.1:1/);
  assert.match((await runCli(place, ["worker"])).stderr, /fleet\.key is not set.*openssl rand/s);
  configure(place, { servers: ["http://x"] });
  assert.match((await runCli(place, ["fleet"])).stderr, /expected an address such as nats:/);
  configure(place, {});
  for (const [flag, value] of [
    ["--pool", "a b"],
    ["--concurrency", "0"],
  ] as const)
    assert.match((await runCli(place, ["worker", flag, value])).stderr, /invalid pool|must be a number/);
});
