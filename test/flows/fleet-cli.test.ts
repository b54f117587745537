import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lastFirst, startNats } from "../support/nats.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

interface Listed {
  readonly workers: readonly {
    readonly id: string;
    readonly pool: string;
    readonly labels: readonly string[];
  }[];
  readonly queues: readonly { readonly pool: string; readonly lane: string }[];
}

function configure(place: Place, fleet: object): void {
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ fleet }));
}

const workersOf = async (place: Place): Promise<Listed["workers"]> =>
  (JSON.parse((await runCli(place, ["fleet", "--json"])).stdout) as Listed).workers;

test("a worker takes calls by --place fleet, is listed, and ends when it is drained", async (tt) => {
  const t = lastFirst(tt);
  const { url } = await startNats(t);
  const place = createPlace(tt);
  const key = join(place.folder, "key");
  writeFileSync(key, "k".repeat(40));
  configure(place, { servers: [url], key });
  place.write("a.txt", "one\n");
  const early = await runCli(place, ["call", "read_file", "path=a.txt", "--place", "fleet", "--json"]);
  assert.match(early.stdout, /"code": ?"UNAVAILABLE".*no worker is running/s);
  const serving = runCli(place, ["worker", "--pool", "p1", "--labels", "x,y", "--concurrency", "2"]);
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
  assert.match(stdout, /^worker \w{16}: pool p1, 2 calls at a time\n$/);
  assert.deepEqual(await workersOf(place), []);
});

test("commands of the fleet say what is missing", async (t) => {
  const place = createPlace(t);
  assert.match((await runCli(place, ["fleet"])).stderr, /fleet\.servers is not set/);
  assert.match((await runCli(place, ["worker"])).stderr, /fleet\.key is not set.*openssl rand/s);
  const call = await runCli(place, ["call", "ls", "--place", "fleet", "--json"]);
  assert.match(call.stdout, /NO_EXECUTOR.*fleet\.servers/s);
  configure(place, { servers: ["nats://127.0.0.1:1"], key: join(place.folder, "none") });
  assert.match((await runCli(place, ["fleet"])).stderr, /cannot be reached at nats:\/\/127\.0\.0\.1:1/);
  assert.match((await runCli(place, ["worker"])).stderr, /key of the fleet cannot be read/);
  configure(place, { servers: ["http://x"] });
  assert.match((await runCli(place, ["fleet"])).stderr, /expected an address such as nats:/);
  configure(place, {});
  for (const [flag, value] of [
    ["--pool", "a b"],
    ["--concurrency", "0"],
  ] as const)
    assert.match((await runCli(place, ["worker", flag, value])).stderr, /invalid pool|must be a number/);
});
