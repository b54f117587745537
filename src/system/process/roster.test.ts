import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { attempt } from "../../util/async/attempt.ts";
import { currentProcess } from "./identity.ts";
import { identityName } from "./identity-name.ts";
import { createMarker, findMarked, MARKER, recordStart } from "./marker.ts";
import { endOrphans } from "./orphans.ts";
import { createRoster, parseRecordName } from "./roster.ts";

const skip = process.platform === "linux" ? false : "needs /proc";
const SCANS = 100;

function sleeper(context: TestContext): { readonly child: ChildProcess; readonly pid: number } {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  context.after(() => child.kill("SIGKILL"));
  return { child, pid: child.pid ?? 0 };
}

function recordsIn(state: string): readonly string[] {
  return readdirSync(join(state, "processes")).map((name) => join(state, "processes", name));
}

/** Writes the record of a process whose owner has died; the content is that of a living one if it is not given. */
function orphaned(state: string, { owner = DEAD, marker = "a.1", content = "" }): string {
  mkdirSync(join(state, "processes"), { recursive: true });
  const path = join(state, "processes", `${identityName(owner)}.${marker}`);
  writeFileSync(path, content);
  return path;
}

const DEAD = { ...currentProcess(), start: "1" };

/** Returns the content of a record. */
function contentOf(pid: number, change: object = {}): string {
  const start = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[19];
  return JSON.stringify({ pid, start, ...change });
}

test("a program is recorded before it starts, with its pid while it runs, and removed after", (context) => {
  const folder = join(temporaryFolder(context), "a", "b");
  const { pid } = sleeper(context);
  const entry = createRoster(folder).add("above.a.1");
  const [path = ""] = recordsIn(folder);
  assert.deepEqual(parseRecordName(basename(path)), { owner: currentProcess(), marker: "a.1" });
  assert.equal(readFileSync(path, "utf8"), "");
  entry.started(pid);
  assert.equal(readFileSync(path, "utf8"), contentOf(pid));
  entry.ended();
  entry.ended();
  assert.deepEqual(recordsIn(folder), []);
});

test("the name of a record is short enough for a file, however deep the program is started", () => {
  const [owner, marker] = [currentProcess(), `${randomUUID()}.1234567`];
  assert(`${identityName({ ...owner, pid: 4_194_304, start: "99999999999" })}.${marker}`.length < 255);
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

for (const [what, content] of [
  ["refused by a full disk", ""],
  ["cut off", '{"pi'],
] as const) {
  test(`an orphan is found by its marker if the content of its record was ${what}`, async (context) => {
    const folder = temporaryFolder(context);
    const marker = createMarker();
    const child = spawn("sh", ["-c", "setsid sleep 60 & exec sleep 60"], {
      detached: true,
      stdio: "ignore",
      env: { PATH: process.env["PATH"], [MARKER]: `above.${marker}.below` },
    });
    context.after(() => child.kill("SIGKILL"));
    await untilTrue("both run", async () => (await findMarked(marker)).length === 2);
    const path = orphaned(folder, { marker: marker.split(".").slice(-2).join("."), content });
    assert.equal(await endOrphans(folder), 1);
    assert.deepEqual(await findMarked(marker), []);
    assert.equal(existsSync(path), false);
  });
}

test("an orphan that has not called exec yet is waited for", { skip }, async (context) => {
  const folder = temporaryFolder(context);
  const go = join(folder, "go");
  // Like a child of a killed process, it has lost its parent, runs, and has its marker only after exec.
  const script = `(until [ -e ${go} ]; do :; done; export ${MARKER}=a.1; exec sleep 600) > /dev/null & echo $!`;
  const pid = Number(execFileSync("bash", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] }));
  context.after(() => attempt(() => process.kill(pid, "SIGKILL")));
  orphaned(folder, {});
  const ended = endOrphans(folder);
  // Without the wait it would be over before this. With too short a pause the test only proves less; a long one uses up the time of the wait.
  await Promise.race([ended, pause(200)]);
  writeFileSync(go, "");
  assert.equal(await ended, 1);
  assert.equal(isRunning(pid), false);
});

test("a process that replaces its program again and again is always found", { skip }, async (context) => {
  const marker = createMarker();
  const child = spawn("sh", ["-c", 'exec sh -c "$0" "$0"', 'exec sh -c "$0" "$0"'], {
    stdio: "ignore",
    env: { PATH: process.env["PATH"], [MARKER]: marker },
  });
  context.after(() => child.kill("SIGKILL"));
  const ended = recordStart(child.pid ?? 0);
  const find = (): Promise<readonly number[]> => findMarked(marker, child.pid);
  await untilTrue("it runs", async () => (await find()).length === 1);
  for (let count = 0; count < SCANS; count += 1) assert.deepEqual(await find(), [child.pid]);
  ended();
});

test("an orphan is killed and its record removed", async (context) => {
  const folder = temporaryFolder(context);
  const { pid } = sleeper(context);
  const path = orphaned(folder, { content: contentOf(pid) });
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
  orphaned(folder, { owner: { ...DEAD, namespace: "pid:[1]" }, content: contentOf(pid) });
  assert.equal(await endOrphans(folder), 0);
  assert.equal(isRunning(pid), true);
});

for (const [what, change, owner] of [
  ["a later process with the same number", { start: "5" }, DEAD],
  ["a process of another boot", {}, { ...DEAD, boot: "another" }],
  ["a process whose start was never known", { start: null }, DEAD],
  ["a group of processes", { pid: -1 }, DEAD],
] as const) {
  test(`${what} is not killed, and the record is removed`, async (context) => {
    const folder = temporaryFolder(context);
    const { pid } = sleeper(context);
    const path = orphaned(folder, { owner, content: contentOf(pid, change) });
    assert.equal(await endOrphans(folder), 0);
    assert.equal(isRunning(pid), true);
    assert.equal(existsSync(path), false);
  });
}

test("a file that is not a record is left alone", async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, "processes"));
  for (const name of ["notes.txt", "x.a.1", ".a.1"]) writeFileSync(join(folder, "processes", name), "");
  assert.equal(await endOrphans(folder), 0);
  assert.equal(recordsIn(folder).length, 3);
});

test("a missing folder has no orphans", async () => {
  assert.equal(await endOrphans("/nope/nope"), 0);
});
