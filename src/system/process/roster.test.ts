import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isRunning } from "../../../test/support/is-running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { currentProcess } from "./identity.ts";
import { endOrphans } from "./orphans.ts";
import { createRoster, type RosterRecord } from "./roster.ts";

function sleeper(context: TestContext): { readonly child: ChildProcess; readonly pid: number } {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  context.after(() => child.kill("SIGKILL"));
  return { child, pid: child.pid ?? 0 };
}

function recordsIn(state: string): readonly string[] {
  return readdirSync(join(state, "processes")).map((name) => join(state, "processes", name));
}

/** Writes the record of a process whose owner has died. */
function orphaned(state: string, pid: number, change: (record: RosterRecord) => RosterRecord): string {
  const unregister = createRoster(state).register(pid);
  const [path = ""] = recordsIn(state);
  const record = JSON.parse(readFileSync(path, "utf8")) as RosterRecord;
  unregister();
  const owner = { ...record.owner, start: "1" };
  writeFileSync(path, JSON.stringify(change({ ...record, owner })));
  return path;
}

test("a process is recorded while it runs and removed after", (context) => {
  const folder = join(temporaryFolder(context), "a", "b");
  const { pid } = sleeper(context);
  const unregister = createRoster(folder).register(pid);
  const [path = ""] = recordsIn(folder);
  const { owner, child } = JSON.parse(readFileSync(path, "utf8")) as RosterRecord;
  assert.deepEqual(owner, currentProcess());
  assert.equal(child.pid, pid);
  assert.match(child.start ?? "", /^\d+$/);
  unregister();
  unregister();
  assert.deepEqual(recordsIn(folder), []);
});

test("without a folder, or with an invalid one, nothing is written and nothing fails", (context) => {
  const { pid } = sleeper(context);
  createRoster().register(pid)();
  createRoster("/dev/null/x").register(pid)();
  assert.equal(isRunning(pid), true);
});

test("a roster listens for the exit only while it is not empty", (context) => {
  const { pid } = sleeper(context);
  const before = process.listenerCount("exit");
  const roster = createRoster();
  const [one, two] = [roster.register(pid), roster.register(pid + 1)];
  assert.equal(process.listenerCount("exit"), before + 1);
  one();
  two();
  assert.equal(process.listenerCount("exit"), before);
});

test("an orphan is killed and its record removed", async (context) => {
  const folder = temporaryFolder(context);
  const { pid } = sleeper(context);
  const path = orphaned(folder, pid, (record) => record);
  assert.equal(await endOrphans(folder), 1);
  assert.equal(isRunning(pid), false);
  assert.equal(existsSync(path), false);
});

test("a process whose owner is alive is not killed", async (context) => {
  const folder = temporaryFolder(context);
  const { pid } = sleeper(context);
  const unregister = createRoster(folder).register(pid);
  assert.equal(await endOrphans(folder), 0);
  assert.equal(isRunning(pid), true);
  assert.equal(recordsIn(folder).length, 1);
  unregister();
});

for (const [what, change] of [
  ["a later process with the same number", { start: "5" }],
  ["a process of another boot", { boot: "another" }],
  ["a process whose start was never known", { start: null }],
] as const) {
  test(`${what} is not killed, and the record is removed`, async (context) => {
    const folder = temporaryFolder(context);
    const { pid } = sleeper(context);
    const path = orphaned(folder, pid, (record) => ({ ...record, child: { ...record.child, ...change } }));
    assert.equal(await endOrphans(folder), 0);
    assert.equal(isRunning(pid), true);
    assert.equal(existsSync(path), false);
  });
}

test("an unreadable record is removed only if it is old", async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, "processes"));
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    '{"owner":{},"child":{"pid":1}}',
    '{"owner":{"pid":1},"child":{"pid":-1}}',
  ]) {
    const path = join(folder, "processes", "1-2.json");
    writeFileSync(path, text);
    assert.equal(await endOrphans(folder), 0);
    assert.equal(existsSync(path), true, text);
    utimesSync(path, 1, 1);
    assert.equal(await endOrphans(folder), 0);
    assert.equal(existsSync(path), false, text);
  }
});

test("a missing folder has no orphans", async () => {
  assert.equal(await endOrphans("/nope/nope"), 0);
});
