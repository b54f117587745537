import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, type Place } from "./support/cli.ts";

async function run(place: Place, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(place, args);
  assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

test("a store is checked, copied, restored over a later one, compacted and recovered", async (t) => {
  const place = createPlace(t);
  assert.match((await runCli(place, ["store"])).stderr, /there is no store in .* yet/);
  await run(place, "call", "ls");
  assert.match(await run(place, "store"), /calls +1 answered\n(?:.*\n)*nothing is damaged\n$/);
  assert.match(await run(place, "store", "backup", "copy"), /^copied 1 file, .* to .*copy\n$/);
  assert.match((await runCli(place, ["store", "backup", "copy"])).stderr, /exists already/);
  await run(place, "call", "ls");
  const restored = await run(place, "store", "restore", "copy", "--json");
  const { before } = JSON.parse(restored) as { before: string };
  assert.ok(existsSync(join(before, "toolwright.db")));
  const { calls } = JSON.parse(await run(place, "store", "--json")) as { calls: object };
  assert.deepEqual(calls, { answered: 1 });
  assert.match(await run(place, "store", "compact"), /^the database had .* and has /);
  assert.match((await runCli(place, ["store", "recover"])).stderr, /is not damaged/);

  const database = join(place.home, "state", "toolwright.db");
  writeFileSync(database, readFileSync(database).fill(0, 4096));
  const check = await runCli(place, ["store", "check"]);
  assert.equal(check.code, 1);
  assert.match(check.stdout, /damaged: [^]*toolwright store recover/);
  assert.match(await run(place, "store", "recover"), /^recovered 0 documents and 0 calls/);
  assert.ok(readdirSync(join(place.home, "state")).some((name) => name.startsWith("damaged-")));
  await run(place, "call", "ls");
  assert.match(await run(place, "store"), /nothing is damaged/);
});

test("for a store that is not on disk each action says what to do instead", async (t) => {
  const place = createPlace(t);
  writeFileSync(join(place.home, "config.json"), '{ "store": "nats" }');
  for (const [action, hint] of [
    ["check", /nats stream report/],
    ["compact", /keepDays/],
    ["backup copy", /nats account backup/],
    ["restore copy", /nats account restore/],
    ["recover", /copies the streams/],
  ] as const) {
    const { code, stderr } = await runCli(place, ["store", ...action.split(" ")]);
    assert.equal(code, 2);
    assert.match(stderr, hint);
  }
  const inMemory = await runCli(place, ["store", "--store", ":memory:"]);
  assert.match(inMemory.stderr, /the store is :memory:/);
});
