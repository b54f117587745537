import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openBoundary, SECRET, type Boundary } from "../support/sandboxes/boundary.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { textOf } from "../support/engines/engine.ts";
import { isRunning } from "../support/programs/is-running.ts";
import { untilTrue } from "../support/running.ts";

const skip = withoutBoxes;

/** Commands with an effect outside the sandbox; `canary` is a file that must not appear. */
const WRITES: readonly ((place: Boundary, canary: string) => string)[] = [
  (_, canary) => `touch ${canary}`,
  (_, canary) => `echo x > ${canary}`,
  () => "touch canary",
  () => "touch .git-canary; mkdir canary",
  ({ home }) => `touch ${home}/canary`,
  () => "echo x >> readme",
  () => "rm -f readme",
  () => "mv readme canary",
  () => "chmod 000 readme",
  () => "ln -s / canary",
  (_, canary) => `setsid sh -c 'touch ${canary}' & wait`,
  (_, canary) => `nsenter -t 1 -m touch ${canary}`,
  (_, canary) => `cp readme /proc/1/root${canary}; echo x > /proc/1/root${canary}`,
  (_, canary) =>
    `mount --bind /tmp . ; unshare -rm sh -c 'mount -o remount,rw . ; touch canary; touch ${canary}'`,
];

for (const [index, write] of WRITES.entries())
  test(`a command that is wrongly proven to read writes nothing (${index})`, { skip }, async (t) => {
    const place = await openBoundary(t, { proof: "wrong" });
    const canary = `/var/tmp/toolwright-canary-${process.pid}-${index}`;
    const before = listing(place);
    const { meta } = await place.shell(write(place, canary));
    assert.equal(meta.place, "sandbox");
    assert.equal(existsSync(canary), false);
    assert.deepEqual(listing(place), before);
    assert.equal(readFileSync(join(place.workspace, "readme"), "utf8"), "plain text\n");
  });

for (const read of [
  ({ home }: Boundary) => `cat ${home}/secret ${home}/.ssh/id`,
  () => "cat .state/secret ../secret",
  ({ home }: Boundary) => `find ${home} -type f -exec cat {} +`,
  ({ home }: Boundary) => `cat /proc/1/root${home}/secret; cat /proc/*/root${home}/secret`,
  ({ port }: Boundary) => `cat < /dev/tcp/127.0.0.1/${port}`,
  ({ port }: Boundary) => `exec 3<>/dev/tcp/localhost/${port}; cat <&3`,
  () => "cat /proc/*/environ | tr '\\0' '\\n' | grep BOUNDARY_CANARY",
])
  test(`a command that is wrongly proven to read sees no secret: ${String(read)}`, { skip }, async (t) => {
    process.env["BOUNDARY_CANARY"] = SECRET;
    t.after(() => delete process.env["BOUNDARY_CANARY"]);
    const place = await openBoundary(t, { proof: "wrong" });
    const result = await place.shell(read(place));
    assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
    assert.equal(place.accepted(), 0);
  });

test("files that rules deny are hidden from a command in the sandbox", { skip }, async (t) => {
  const rules = [{ path: ["**/.env", "private/**"], decision: "deny" }] as const;
  const place = await openBoundary(t, { proof: "wrong", rules });
  for (const folder of ["private", "deep", "deep/er"]) mkdirSync(join(place.workspace, folder));
  for (const file of [".env", "deep/er/.env", "private/a", "private/b"])
    writeFileSync(join(place.workspace, file), SECRET);
  writeFileSync(join(place.workspace, "deep/er/other"), "shown\n");
  const result = await place.shell(
    "cat .env deep/er/.env private/*; ls private; find . -type f -exec cat {} +",
  );
  assert.match(textOf(result), /shown/);
  assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
});

test("a command in the sandbox does not reach other processes", { skip }, async (t) => {
  const place = await openBoundary(t, { proof: "wrong" });
  const other = spawn("sleep", ["1000"], { stdio: "ignore" });
  t.after(() => other.kill("SIGKILL"));
  const pid = other.pid ?? 0;
  const result = await place.shell(`kill -9 ${pid}; ls /proc | grep -c '^[0-9]'`);
  assert.equal(isRunning(pid), true);
  assert.ok(Number(/^\d+$/m.exec(textOf(result))?.[0]) < 10, textOf(result));
});

for (const leave of [
  "setsid sleep 7654.25 &",
  "nohup sleep 7654.25 >/dev/null 2>&1 & disown",
  "(setsid sleep 7654.25 &) &",
])
  test(`nothing that a command in the sandbox started outlives it: ${leave}`, { skip }, async (t) => {
    const place = await openBoundary(t, { proof: "wrong" });
    await place.shell(`${leave} echo started`);
    await untilTrue("all processes ended", () => !isCommandRunning("sleep\x007654.25"));
  });

test("the memory of a command in the sandbox is limited", { skip }, async (t) => {
  const place = await openBoundary(t, { proof: "wrong" });
  const result = await place.shell("head -c 3000000000 /dev/zero | tail -n 1 | wc -c; ulimit -d");
  assert.match(textOf(result), /memory exhausted|cannot allocate|2097152/i);
});

test("a command in the sandbox that reads an endless device is ended", { skip }, async (t) => {
  const place = await openBoundary(t, { proof: "wrong" });
  const result = await place.shell("cat /dev/zero", { timeout_seconds: 600 });
  assert.match(result.ok ? "" : result.error.message, /printed over 64 MB/);
});

test("a command in the sandbox reads the workspace and runs the user's programs", { skip }, async (t) => {
  const place = await openBoundary(t, { proof: "real" });
  const result = await place.shell("cat readme | wc -l");
  assert.equal(result.ok && result.meta.place, "sandbox");
  assert.equal(textOf(result), "1");
  const greeted = await (
    await openBoundary(t, { proof: "wrong" })
  ).shell("greet; echo ok > /tmp/x; cat /tmp/x");
  assert.equal(textOf(greeted), "greetings\nok");
});

test("a command that fails in the sandbox says how it runs outside", { skip }, async (t) => {
  const approved: string[] = [];
  const place = await openBoundary(t, {
    proof: "wrong",
    approver: {
      async ask({ callId }) {
        approved.push(callId);
        return { approved: true, scope: "once" };
      },
    },
  });
  const failed = await place.shell("touch canary");
  assert.match(textOf(failed), /outside_sandbox: true asks for approval/);
  assert.deepEqual(approved, []);
  const outside = await place.shell("touch canary", { outside_sandbox: true });
  assert.equal(outside.meta.place, "host");
  assert.equal(approved.length, 1);
  assert.equal(existsSync(join(place.workspace, "canary")), true);
});

test("a command that a rule or the mode allows runs outside the sandbox", { skip }, async (t) => {
  const rules = [{ tool: "shell", command: ["wc"], decision: "allow" }] as const;
  for (const options of [{ rules }, { mode: "yolo" } as const]) {
    const place = await openBoundary(t, { proof: "real", ...options });
    const { ok, meta } = await place.shell("wc -l readme");
    assert.deepEqual([ok, meta.place], [true, "host"]);
  }
});

test("a background command that is proven to read runs in the sandbox", { skip }, async (t) => {
  const place = await openBoundary(t, { proof: "wrong" });
  const { meta } = await place.shell("touch canary; sleep 1000", { background: true });
  assert.equal(meta.place, "sandbox");
  assert.equal(existsSync(join(place.workspace, "canary")), false);
});

test("without sandboxes only basic commands run without approval, on the host", async (t) => {
  const place = await openBoundary(t, { proof: "none" });
  writeFileSync(join(place.workspace, "more"), "");
  for (const command of [
    "ls -la | head -n 5",
    "sort -rn readme",
    "find . -name '*.ts' -type f",
    "grep -rn x .",
  ]) {
    const basic = await place.shell(command);
    assert.deepEqual([basic.ok, basic.meta.place], [true, "host"], command);
  }
  for (const command of [
    "sort -o readme readme",
    "sort --parallel=2 readme",
    "find . -delete",
    "find . -exec cat {} +",
    "nl readme",
    "rg --pre cat x",
    "diff --to-file=more readme",
    "ls --quoting-style=c",
    "git log --format=%H",
  ]) {
    const refused = await place.shell(command);
    assert.equal(refused.ok ? "ok" : refused.error.code, "DENIED", command);
  }
});

test("with sandboxes switched off no attack runs without approval", async (t) => {
  const place = await openBoundary(t, { proof: "none" });
  const before = listing(place);
  for (const write of WRITES) {
    const result = await place.shell(write(place, join(place.home, "canary")));
    assert.equal(result.ok, false);
  }
  assert.deepEqual(listing(place), before);
});

for (const proof of ["real", "none"] as const)
  test(
    `a program that obeys the files of the folder has no effect when its version is asked for (${proof})`,
    { skip: proof === "real" && skip },
    async (t) => {
      const place = await openBoundary(t, { proof });
      writeFileSync(join(place.workspace, ".tool-versions"), "touch canary\n");
      for (const name of ["cargo", "node", "python3", "go"]) {
        // As the shims of version managers do: what the folder names is run.
        const shim = `#!/bin/sh\nsh .tool-versions; touch ${place.home}/canary\n`;
        writeFileSync(join(place.home, "bin", name), shim, { mode: 0o755 });
        await place.shell(`${name} --version`);
      }
      const canaries = [join(place.workspace, "canary"), join(place.home, "canary")];
      assert.deepEqual(canaries.filter(existsSync), []);
    },
  );

function listing({ home, workspace }: Boundary): readonly string[] {
  return [...readdirSync(home), ...readdirSync(workspace)];
}

function isCommandRunning(commandLine: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(commandLine);
      } catch {
        return false;
      }
    });
}
