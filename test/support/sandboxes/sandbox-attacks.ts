import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ToolResult } from "../../../src/core/result.ts";
import { codeOf, textOf } from "../engines/engine.ts";
import { openSandboxPlace, SECRET, serversOf, whyNot, type Kind } from "../examples/sandbox-example.ts";

const LIMITS = { memoryMb: 700, processes: 120, tmpMb: 16 };

const FORKS = `
import os, time
count = 0
try:
    while count < 2000:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
        count += 1
except OSError:
    pass
print("forks", count)
`;
const HOLD = `
import sys
data = bytearray(b"x") * (int(sys.argv[1]) * 1000000)
print("held")
`;
/** Starts processes that hold 300 MB each, one after the other, and prints how many are left in the end. */
const HOLD_MANY = `
import os, signal, time
started = []
for _ in range(4):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        data = bytearray(b"x") * 300000000
        os.write(writer, b"x")
        signal.pause()
    os.close(writer)
    os.read(reader, 1)
    started.append(pid)
left = started
for _ in range(300):
    left = [pid for pid in left if os.waitpid(pid, os.WNOHANG) == (0, 0)]
    if len(left) < 4: break
    time.sleep(0.1)
print("left", len(left))
for pid in left: os.kill(pid, 9)
`;
const ATTACH = `
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
print("attached" if libc.ptrace(16, int(sys.argv[1]), None, None) == 0 else "refused")
`;
/** Prints what it may do to the shell that started it, and to the tool server: read memory, environment and open files, trace. */
const INSPECT = `
import ctypes, glob, os
libc = ctypes.CDLL(None, use_errno=True)
def may(action):
    try: return action() != -1
    except OSError: return False
def isServer(pid):
    return any(one.endswith(b"toolwright-tool-server.js") for one in open("/proc/%d/cmdline" % pid, "rb").read().split(bytes(1))[1:3])
def inspect(pid):
    folder = "/proc/%d/" % pid
    return [
        may(lambda: open(folder + "mem", "rb").close()),
        may(lambda: open(folder + "environ", "rb").read()),
        may(lambda: os.readlink(folder + "fd/1")),
        may(lambda: libc.ptrace(0x4206, pid, None, None)),
    ]
print("shell", inspect(os.getppid()))
for pid in [int(one[6:]) for one in glob.glob("/proc/[0-9]*")]:
    if isServer(pid): print("server", inspect(pid))
`;
/** Reads the memory of every process that is visible, and prints it if it has the secret. */
const MEMORY = `
import glob, os, re, sys
secret = sys.argv[1][::-1].encode()
for folder in glob.glob("/proc/[0-9]*"):
    if folder == "/proc/" + str(os.getpid()): continue
    try:
        maps, memory = open(folder + "/maps"), open(folder + "/mem", "rb")
        for line in maps:
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line)
            if not found: continue
            start, end = int(found[1], 16), int(found[2], 16)
            if end - start > 100000000: continue
            memory.seek(start)
            if secret in memory.read(end - start): print("found in", folder)
    except (OSError, ValueError, OverflowError): pass
print("searched")
`;

/** Returns true if the server of a workspace, which has answered, is in a control group of its own. */
function hasGroup(workspace: string, answer: ToolResult): boolean {
  assert.ok(answer.ok, textOf(answer));
  return serversOf(workspace).some((pid) =>
    readFileSync(`/proc/${pid}/cgroup`, "utf8").includes("toolwright-"),
  );
}

function python(code: string, ...args: readonly (string | number)[]): string {
  return `python3 -c '${code}' ${args.join(" ")}`;
}

/** Attacks from inside a kind of sandbox, judged by their effect. */
export async function sandboxAttacks(kind: Kind): Promise<void> {
  const skip = await whyNot(kind);
  // Alone: containers of one user share the limit of processes where there are no control groups.
  describe(`a fork bomb in a sandbox: ${kind}`, { skip }, () => {
    test("a fork bomb is stopped, and the next call works", async (t) => {
      const place = await openSandboxPlace(t, kind, LIMITS);
      const inGroup = hasGroup(place.workspace, await place.shell("true"));
      if (process.getuid?.() === 0 && !inGroup && kind !== "podman")
        return t.skip("root without control groups has no limit of processes, as docs/sandbox.md says");
      const result = await place.shell(python(FORKS), { timeout_seconds: 120 });
      const [, count = "none"] = /forks (\d+)/.exec(textOf(result)) ?? [];
      assert.ok(Number(count) < LIMITS.processes, textOf(result));
      assert.equal(textOf(await place.shell("echo works")), "works");
    });
  });
  describe(`attacks in a sandbox: ${kind}`, { skip, concurrency: 3 }, () => {
    test("a memory bomb is stopped, in one process and in many", async (t) => {
      const place = await openSandboxPlace(t, kind, LIMITS);
      assert.doesNotMatch(textOf(await place.shell(python(HOLD, 2000), { timeout_seconds: 120 })), /^held$/m);
      const inGroup = hasGroup(place.workspace, await place.shell("true"));
      if (!inGroup && (kind !== "podman" || process.getuid?.() !== 0))
        return t.diagnostic("no control groups: the sum of memory has no limit here");
      const many = textOf(await place.shell(python(HOLD_MANY), { timeout_seconds: 120 }));
      assert.match(many, /^left [0-3]$/m);
      assert.equal(textOf(await place.shell("echo works")), "works");
    });

    test("the disk cannot be filled but by files in the workspace, and none of those is large", async (t) => {
      const place = await openSandboxPlace(t, kind, LIMITS);
      for (const path of ["/tmp/x", `${place.home}/x`, "/dev/shm/x", "/x", "/var/tmp/x", "/run/x"]) {
        const result = await place.shell(
          `dd if=/dev/zero of=${path} bs=1M count=900 2>/dev/null; stat -c %s ${path}`,
        );
        const size = Number(/^\d+$/m.exec(textOf(result))?.[0] ?? 0);
        assert.ok(size < LIMITS.memoryMb * 1_000_000, `${path} has ${size} bytes`);
        assert.equal(existsSync(path) && statSync(path).size > 0, false, path);
        await place.shell(`rm -f ${path}`);
      }
      await place.shell("truncate -s 300M large; true");
      const large = statSync(join(place.workspace, "large"), { throwIfNoEntry: false });
      assert.ok((large?.size ?? 0) <= 256 * 1024 * 1024);
    });

    test("no process of the host can be traced, and no memory in the sandbox has a secret of the host", async (t) => {
      process.env["SANDBOX_CANARY"] = SECRET;
      t.after(() => delete process.env["SANDBOX_CANARY"]);
      const place = await openSandboxPlace(t, kind);
      const traced = await place.shell(python(ATTACH, process.pid));
      assert.equal(textOf(traced), "refused");
      const reversed = SECRET.split("").toReversed().join("");
      const searched = await place.shell(python(MEMORY, reversed), { timeout_seconds: 120 });
      assert.equal(codeOf(searched), "ok");
      assert.equal(textOf(searched), "searched");
    });

    test("a program can neither trace the tool server nor read its memory, environment and open files", async (t) => {
      const place = await openSandboxPlace(t, kind);
      const all = (value: string): string => `[${[value, value, value, value].join(", ")}]`;
      assert.equal(
        textOf(await place.shell(`${python(INSPECT)}; true`)),
        `shell ${all("True")}\nserver ${all("False")}`,
      );
      // Under srt, no process has a capability.
      if (kind === "srt") return;
      const own = "grep CapPrm /proc/self/status";
      const code = "print([line for line in open('/proc/self/status') if line.startswith('CapPrm')][0])";
      for (const result of [
        await place.shell(own),
        await place.shell(own, { terminal_id: "t" }),
        await place.run("python_action", { action: "execute", code }),
      ])
        assert.match(textOf(result), /^CapPrm:\s*0+$/m);
    });
  });
}
