import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { loadConfig } from "../../src/app/config/config.ts";
import { chooseSandbox } from "../../src/app/host/sandbox.ts";
import type { Policy } from "../../src/core/policy.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createMemoryArtifacts } from "../../src/store/in-memory.ts";
import { runningTools } from "../../src/tools/running/family.ts";
import { withoutBoxes } from "../support/boxes.ts";
import { call, codeOf, textOf } from "../support/engine.ts";
import { isRunning } from "../support/is-running.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const skip = withoutBoxes;
const SECRET = "canary-secret-77b1";
/** Nothing but the sandbox protects. */
const ALLOW: Policy = { judge: () => ({ kind: "allow", reason: "a test of the sandbox", rule: "test" }) };

interface Place {
  readonly home: string;
  readonly workspace: string;
  readonly port: number;
  accepted(): number;
  shell(command: string, more?: object): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Opens a session sandbox over a workspace in a home folder with secrets; a server listens on loopback. */
async function openPlace(t: TestContext): Promise<Place> {
  const home = temporaryFolder(t);
  const workspace = join(home, "project");
  for (const folder of [workspace, join(workspace, ".toolwright"), join(home, ".ssh")])
    mkdirSync(folder, { recursive: true });
  for (const file of ["secret", ".ssh/id", "project/.toolwright/own"])
    writeFileSync(join(home, file), SECRET);
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on("error", () => undefined).end(SECRET);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  const variables = { PATH: process.env["PATH"] ?? "", HOME: home };
  const config = loadConfig(
    { sandbox: "bubblewrap", store: ":memory:" },
    { cwd: workspace, variables, userHome: home },
  );
  const { sandbox } = await chooseSandbox(config, undefined);
  assert.ok(sandbox);
  const engine = createEngine({
    policy: ALLOW,
    tools: runningTools({ root: workspace, home, environment: variables }),
    executors: [sandbox.executor],
    artifacts: createMemoryArtifacts(),
  });
  t.after(() => engine.close());
  return {
    home,
    workspace,
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    shell: (command, more = {}) => engine.run(call("shell", { command, ...more }), { session: "one" }),
    close: () => engine.close(),
  };
}

test("commands of a session run in one sandbox that can change only the workspace", { skip }, async (t) => {
  const place = await openPlace(t);
  const { home, workspace, port } = place;
  const first = await place.shell("echo kept > /tmp/private; echo made > file; echo $$");
  assert.equal(first.meta.place, "sandbox");
  assert.equal(readFileSync(join(workspace, "file"), "utf8"), "made\n");
  assert.equal(
    textOf(await place.shell("cat /tmp/private")),
    "kept",
    "the private /tmp lasts for the session",
  );
  assert.equal(existsSync("/tmp/private"), false);

  for (const command of [
    `cat ${home}/secret ${home}/.ssh/id`,
    `find ${home} / -xdev -name secret -exec cat {} + 2>/dev/null`,
    `cat /proc/*/root${home}/secret`,
    `cat < /dev/tcp/127.0.0.1/${port}`,
    `exec 3<>/dev/tcp/localhost/${port}; cat <&3`,
    "cat /proc/*/environ | tr '\\0' '\\n' | grep SANDBOX_CANARY",
    "mount --bind / /mnt; ls /mnt/root; nsenter -t 1 -m cat /etc/shadow",
  ]) {
    const result = await place.shell(command);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET), command);
  }
  assert.equal(place.accepted(), 0);

  const canary = `/var/tmp/toolwright-sandbox-canary-${process.pid}`;
  const before = readdirSync(home).toSorted();
  for (const command of [
    `touch ${canary}`,
    `touch ${home}/canary`,
    `ln -s ${home} link; touch link/canary`,
    `echo x > /proc/1/root${canary}`,
    "echo evil > .git/config; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit",
    "echo evil > .toolwright/config.json; rm -rf .toolwright; mv .toolwright gone",
    "rm -f .mcp.json; echo evil > .mcp.json",
    "rm -rf .git && git init",
    `unshare -rm sh -c 'mount -o remount,rw .toolwright; echo evil > .toolwright/config.json'`,
  ])
    await place.shell(command);
  assert.equal(existsSync(canary), false);
  assert.deepEqual(readdirSync(home).toSorted(), before);
  assert.deepEqual(readdirSync(join(workspace, ".toolwright")), ["own"]);
  await place.close();
  assert.deepEqual(
    readdirSync(workspace).toSorted(),
    [".toolwright", "file", "link"],
    "the names that were reserved are removed",
  );
});

test("programs in the sandbox neither see nor signal those of the host", { skip }, async (t) => {
  const place = await openPlace(t);
  const victim = spawn("sleep", ["600"], { stdio: "ignore" });
  t.after(() => victim.kill("SIGKILL"));
  const { pid = 0 } = victim;
  const result = await place.shell(`kill -9 ${pid}; kill -9 -1; ls -d /proc/${pid}; echo done`);
  assert.ok(isRunning(pid));
  assert.doesNotMatch(JSON.stringify(result), new RegExp(`"/proc/${pid}\\\\n`));
});

test("a daemon that a command leaves behind ends with the session", { skip }, async (t) => {
  const place = await openPlace(t);
  const seconds = `9${process.pid}`;
  await place.shell(`setsid -f sleep ${seconds}; (sleep ${seconds} &) ; echo started`, { background: true });
  const count = (): number =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(seconds)).length;
  await untilTrue("the daemon runs", () => count() > 0);
  await place.close();
  await untilTrue("the daemon has ended", () => count() === 0);
});

test(
  "a sandbox that is killed during a call gives one answer, and the next call starts another",
  { skip },
  async (t) => {
    const place = await openPlace(t);
    const running = place.shell("touch running; sleep 600");
    await untilTrue("the command runs", () => existsSync(join(place.workspace, "running")));
    for (const pid of serversOf(place.workspace)) kill(pid);
    assert.equal(codeOf(await running), "TOOL_CRASHED");
    assert.equal(textOf(await place.shell("echo again")), "again");
  },
);

test("long output becomes an artifact of the host", { skip }, async (t) => {
  const place = await openPlace(t);
  const result = await place.shell("seq 1 100000");
  assert.equal(result.meta.truncated?.total, 588_895);
  assert.match(textOf(result), new RegExp(`read_artifact id=${result.meta.truncated?.artifactId} reads`));
});

test(
  "the time limit ends a command in the sandbox, and its output so far is in the answer",
  { skip },
  async (t) => {
    const place = await openPlace(t);
    // The start of the sandbox is not part of the time.
    await place.shell("true");
    const result = await place.shell("echo before; sleep 600", { timeout_seconds: 5 });
    assert.equal(codeOf(result), "TOOL_TIMEOUT");
    assert.match(JSON.stringify(result), /before/);
  },
);

test("a failed command is told that it ran in a sandbox", { skip }, async (t) => {
  const place = await openPlace(t);
  assert.match(textOf(await place.shell("cat /nowhere")), /outside_sandbox: true/);
  assert.doesNotMatch(textOf(await place.shell("false")), /outside_sandbox/);
  assert.equal((await place.shell("cat /nowhere", { outside_sandbox: true })).meta.place, "host");
});

/** Returns the processes that serve a workspace. */
function serversOf(workspace: string): readonly number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter(
      (pid) => commandLine(pid).includes("toolwright-tool-server") && commandLine(pid).includes(workspace),
    )
    .map(Number);
}

/** Kills a process, which may have ended together with its parent. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
