import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isRunning } from "../../../test/support/is-running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { currentProcess, type ProcessIdentity } from "./identity.ts";
import { createMarker, findMarked, MARKER } from "./marker.ts";
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
function orphaned(
  state: string,
  pid: number,
  change: (record: ReturnType<typeof readRecord>) => RosterRecord,
): string {
  const entry = createRoster(state).add("a.1");
  entry.started(pid);
  const [path = ""] = recordsIn(state);
  const record = readRecord(path);
  entry.ended();
  writeFileSync(path, JSON.stringify(change({ ...record, owner: DEAD })));
  return path;
}

const DEAD = { ...currentProcess(), start: "1" };

/** Returns the lines of a record as one. */
function readRecord(path: string): RosterRecord & { readonly child: ProcessIdentity } {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as never;
}

test("a program is recorded before it starts, with its pid while it runs, and removed after", (context) => {
  const folder = join(temporaryFolder(context), "a", "b");
  const { pid } = sleeper(context);
  const entry = createRoster(folder).add("a.1");
  const [path = ""] = recordsIn(folder);
  assert.deepEqual(readRecord(path), { owner: currentProcess(), marker: "a.1" });
  entry.started(pid);
  const { owner, child } = readRecord(path);
  assert.deepEqual(owner, currentProcess());
  assert.equal(child.pid, pid);
  assert.match(child.start ?? "", /^\d+$/);
  entry.ended();
  entry.ended();
  assert.deepEqual(recordsIn(folder), []);
});

test("without a folder, or with an invalid one, nothing is written and nothing fails", (context) => {
  const { pid } = sleeper(context);
  for (const folder of [undefined, "/dev/null/x"]) {
    const entry = createRoster(folder).add("a.1");
    entry.started(pid);
    entry.ended();
  }
  assert.equal(isRunning(pid), true);
});

test("an orphan that was started but not recorded yet is found by its marker", async (context) => {
  const folder = temporaryFolder(context);
  const marker = createMarker();
  const child = spawn("sh", ["-c", "setsid sleep 60 & exec sleep 60"], {
    detached: true,
    stdio: "ignore",
    env: { PATH: process.env["PATH"], [MARKER]: marker },
  });
  context.after(() => child.kill("SIGKILL"));
  await untilTrue("both run", () => findMarked(marker).length === 2);
  mkdirSync(join(folder, "processes"));
  const path = join(folder, "processes", "1.json");
  // The owner was killed while it wrote the second line.
  writeFileSync(path, `${JSON.stringify({ owner: DEAD, marker })}\n{"child":{"pi`);
  assert.equal(await endOrphans(folder), 1);
  assert.deepEqual(findMarked(marker), []);
  assert.equal(existsSync(path), false);
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
  const entry = createRoster(folder).add("a.1");
  entry.started(pid);
  assert.equal(await endOrphans(folder), 0);
  assert.equal(isRunning(pid), true);
  assert.equal(recordsIn(folder).length, 1);
  entry.ended();
});

test("a process whose owner is in another pid namespace is not killed", async (context) => {
  const folder = temporaryFolder(context);
  const { pid } = sleeper(context);
  orphaned(folder, pid, (record) => ({ ...record, owner: { ...record.owner, namespace: "pid:[1]" } }));
  assert.equal(await endOrphans(folder), 0);
  assert.equal(isRunning(pid), true);
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
