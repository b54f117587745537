import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { currentProcess, isAlive, parsePs, parseStat } from "./identity.ts";

const onLinux = process.platform === "linux" ? false : "needs /proc";

test("this process is alive, and its identity stays the same", () => {
  assert.equal(isAlive(currentProcess()), true);
  assert.deepEqual(currentProcess(), currentProcess());
});

test("a process is alive until it has ended", async () => {
  const child = spawn("sleep", ["60"]);
  await once(child, "spawn");
  const identity = { ...currentProcess(), pid: Number(child.pid), start: null };
  assert.equal(isAlive(identity), true);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(isAlive(identity), false);
});

test("a reused pid is not the original process", () => {
  assert.equal(isAlive({ ...currentProcess(), start: "1" }), false);
});

test("a process of another boot is dead", { skip: onLinux }, () => {
  assert.equal(isAlive({ ...currentProcess(), boot: "00000000-0000-0000-0000-000000000000" }), false);
});

test("pids that are not a single process are dead", () => {
  for (const pid of [0, -1, 1.5, Number.NaN]) {
    assert.equal(isAlive({ pid, start: null, boot: null }), false, String(pid));
  }
});

test("a zombie is dead", { skip: onLinux }, async () => {
  // Unlike a shell, Perl does not reap children by itself.
  const child = spawn("perl", ["-e", "$| = 1; my $pid = fork; exit if !$pid; print $pid; sleep 60"]);
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(chunk.toString());
  const identity = { ...currentProcess(), pid, start: null };
  while (!readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ")) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(isAlive(identity), false);
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("the start time is found after a name with spaces and parentheses", { skip: onLinux }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-identity-"));
  const program = join(folder, "a ) S 1 (b) c");
  copyFileSync("/bin/sleep", program);
  const child = spawn(program, ["60"]);
  await once(child, "spawn");
  const stat = readFileSync(`/proc/${child.pid}/stat`, "latin1");
  assert.match(stat, /\(a \) S 1 \(b\) c\)/);
  const ticks = Number(parseStat(stat));
  const own = Number(currentProcess().start);
  assert.ok(ticks >= own && ticks < own + 100 * 3600, `${ticks} is not just after ${own}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  rmSync(folder, { recursive: true });
});

test("the output of ps gives the start time, or null", () => {
  assert.equal(parsePs("Ss   Mon Jul  6 10:20:30 2026\n"), "Mon Jul  6 10:20:30 2026");
  assert.equal(parsePs("Z    Mon Jul  6 10:20:30 2026\n"), "ended");
  assert.equal(parsePs(""), null);
});

test("ps accepts the options", () => {
  const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(process.pid)], {
    encoding: "utf8",
    env: { LC_ALL: "C", PATH: "/bin:/usr/bin" },
  });
  assert.match(String(parsePs(stdout)), /^\w{3} \w{3} .+\d{4}$/);
});
