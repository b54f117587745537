import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { codeOf, textOf } from "../engines/engine.ts";
import { isRunning } from "../programs/is-running.ts";
import { untilTrue } from "../running.ts";
import {
  openSandboxPlace,
  processesWith,
  SECRET,
  serversOf,
  whyNot,
  type Kind,
} from "../examples/sandbox-example.ts";

/** The contract of every kind of sandbox; what `process` does not promise is left out for it. */
export async function sandboxContract(kind: Kind): Promise<void> {
  const skip = await whyNot(kind);
  type Test = (name: string, run: (t: TestContext) => Promise<void>) => void;
  const left: Test = () => undefined;
  const run: Test = (name, body) => void test(name, body);
  const isolated = kind === "process" ? left : run;
  const copying = kind === "process" || kind === "srt" ? left : run;
  // The same code ends the call of every kind.
  const timed = kind === "bubblewrap" ? run : left;
  describe(`sandbox contract: ${kind}`, { skip, concurrency: 3 }, () => {
    test("the commands of a session share one sandbox, work in the workspace, and long output is an artifact", async (t) => {
      const place = await openSandboxPlace(t, kind);
      const first = await place.shell("echo made > file; echo kept > ${TMPDIR:-/tmp}/toolwright-kept; pwd");
      assert.equal(first.meta.place, "sandbox");
      assert.equal(textOf(first), place.workspace);
      assert.equal(readFileSync(join(place.workspace, "file"), "utf8"), "made\n");
      assert.equal(
        textOf(await place.shell("cat ${TMPDIR:-/tmp}/toolwright-kept; rm ${TMPDIR:-/tmp}/toolwright-kept")),
        "kept",
      );
      const long = await place.shell("seq 1 100000");
      assert.equal(long.meta.truncated?.total, 588_895);
      assert.match(textOf(long), new RegExp(`read_artifact id=${long.meta.truncated?.artifactId} reads`));
      assert.match(textOf(await place.shell("cat /nowhere")), /outside_sandbox: true/);
      assert.doesNotMatch(textOf(await place.shell("false")), /outside_sandbox/);
      assert.equal((await place.shell("cat /nowhere", { outside_sandbox: true })).meta.place, "host");
    });

    timed("the time limit ends a command, and its output so far is in the answer", async (t) => {
      const place = await openSandboxPlace(t, kind);
      // The start of the sandbox is not part of the time.
      await place.shell("true");
      const result = await place.shell("echo before; sleep 600", { timeout_seconds: 5 });
      assert.equal(codeOf(result), "TOOL_TIMEOUT");
      assert.match(JSON.stringify(result), /before/);
    });

    test("a sandbox that is killed during a call gives one answer, and the next call starts another", async (t) => {
      const place = await openSandboxPlace(t, kind);
      const running = place.shell("touch running; sleep 600");
      await untilTrue("the command runs", () => existsSync(join(place.workspace, "running")));
      for (const pid of serversOf(place.workspace)) kill(pid);
      assert.equal(codeOf(await running), "TOOL_CRASHED");
      assert.equal(textOf(await place.shell("echo again")), "again");
      await place.close();
      await untilTrue("nothing is left", () => serversOf(place.workspace).length === 0);
    });

    test("a daemon that a command leaves behind ends with the session", async (t) => {
      const place = await openSandboxPlace(t, kind);
      const seconds = `9${process.pid}`;
      const started = await place.shell(`(sleep ${seconds} &) ; exec sleep ${seconds}`, { background: true });
      assert.match(textOf(started), /started bg1/);
      const daemons = (): readonly number[] => processesWith("sleep", seconds);
      await untilTrue("the daemon runs", () => daemons().length > 0);
      await place.close();
      await untilTrue("the daemon has ended", () => daemons().length === 0);
    });

    test("a process that was started outside is viewed and stopped there, with those in the sandbox listed beside it", async (t) => {
      const place = await openSandboxPlace(t, kind);
      await place.shell("echo inside; sleep 600", { background: true });
      const { data } = (await place.shell("echo outside; exec sleep 600", {
        background: true,
        outside_sandbox: true,
      })) as { readonly data?: { readonly id: string; readonly pid: number } };
      assert.equal(data?.id, "host1");
      await untilTrue("it runs on the host", () => isRunning(data.pid));
      const list = textOf(await place.run("view_background_processes", {}));
      assert.match(list, /\[bg1\][^]*\[host1\]/);
      await untilTrue("its output is shown", async () =>
        /outside/.test(textOf(await place.run("view_background_processes", { id: "host1" }))),
      );
      const stopped = await place.run("stop_background_process", { id: "host1", grace_seconds: 1 });
      assert.deepEqual([codeOf(stopped), stopped.meta.place], ["ok", "host"]);
      await untilTrue("it has ended", () => !isRunning(data.pid));
      await place.shell("here=outside", { terminal_id: "t", outside_sandbox: true });
      const typed = await place.shell("echo $here", { terminal_id: "t" });
      assert.deepEqual([textOf(typed).trim(), typed.meta.place], ["outside", "host"]);
    });

    isolated(
      "what is protected in the workspace cannot be changed, and nothing is left of the sandbox",
      async (t) => {
        const place = await openSandboxPlace(t, kind);
        const { workspace } = place;
        mkdirSync(join(workspace, ".git"));
        assert.equal(textOf(await place.shell("touch works; echo $?; rm works")), "0");
        for (const command of [
          "echo evil > .git/config; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit",
          "echo evil > .toolwright/config.json; rm -rf .toolwright; mv .toolwright gone",
          "rm -f .mcp.json; echo evil > .mcp.json; mv .mcp.json gone",
          "rm -rf .git && git init",
          "unshare -rm sh -c 'mount -o remount,rw .toolwright; echo evil > .toolwright/config.json'",
        ])
          await place.shell(command);
        assert.deepEqual(readdirSync(join(workspace, ".toolwright")), ["own"]);
        assert.deepEqual(readdirSync(join(workspace, ".git")), []);
        await place.close();
        assert.deepEqual(
          readdirSync(workspace).toSorted(),
          [".git", ".toolwright"],
          "an empty folder of the user stays",
        );
      },
    );

    isolated("secrets, the network, other processes and the rest of the disk are out of reach", async (t) => {
      const place = await openSandboxPlace(t, kind);
      const { home, port, workspace } = place;
      mkdirSync(join(workspace, "denied"));
      for (const file of ["denied/secret", "denied.txt"]) writeFileSync(join(workspace, file), SECRET);
      assert.equal(textOf(await place.shell("touch works; echo $?; rm works")), "0");
      const victim = spawn("sleep", ["600"], { stdio: "ignore", env: { CANARY: SECRET } });
      t.after(() => victim.kill("SIGKILL"));
      const { pid = 0 } = victim;
      const canary = `/var/tmp/toolwright-canary-${process.pid}-${kind}`;
      const before = readdirSync(home).toSorted();
      for (const command of [
        `cat ${home}/secret ${home}/.ssh/id /proc/*/root${home}/secret`,
        `find / -xdev -name secret -exec cat {} + 2>/dev/null`,
        "cat denied/* denied.txt",
        `cat < /dev/tcp/127.0.0.1/${port}; exec 3<>/dev/tcp/localhost/${port}; cat <&3`,
        "cat /proc/*/environ | tr '\\0' '\\n' | grep CANARY",
        "mount --bind / /mnt; ls /mnt/root; nsenter -t 1 -m cat /etc/shadow",
        // Only where it cannot reach this machine, should the sandbox be broken.
        `kill -9 ${pid}; [ "$(readlink /proc/self/ns/pid)" = "${readlinkSync("/proc/self/ns/pid")}" ] || kill -9 -1`,
        `touch ${canary} ${home}/canary; ln -s ${home} link; touch link/canary; echo x > /proc/1/root${canary}`,
      ])
        assert.doesNotMatch(JSON.stringify(await place.shell(command)), new RegExp(SECRET), command);
      assert.equal(place.accepted(), 0);
      assert.ok(isRunning(pid));
      assert.equal(existsSync(canary), false);
      assert.deepEqual(readdirSync(home).toSorted(), before);
    });

    copying("in a copy of the workspace, what is denied does not exist", async (t) => {
      const place = await openSandboxPlace(t, kind, { workspace: "copy" });
      mkdirSync(join(place.workspace, "denied"));
      for (const file of ["denied/secret", "denied.txt", "other"])
        writeFileSync(join(place.workspace, file), SECRET);
      assert.equal(textOf(await place.shell("find . -name '*denied*'; echo *")), "other");
      assert.match(textOf(await place.shell("stat denied denied.txt")), /(?:No such file[^]*){2}/);
    });

    test("file tools work in the sandbox if all tools do", async (t) => {
      const place = await openSandboxPlace(t, kind, { tools: "all" });
      writeFileSync(join(place.workspace, "text"), "one\ntwo\n");
      assert.equal(
        place.engine.list({ all: true }).find(({ name }) => name === "read_file")?.place,
        "sandbox",
      );
      const read = await place.run("read_file", { path: "text" });
      assert.deepEqual([codeOf(read), read.meta.place], ["ok", "sandbox"]);
      const edited = await place.run("edit_file", { path: "text", old_string: "two", new_string: "three" });
      assert.deepEqual([codeOf(edited), edited.meta.place], ["ok", "sandbox"]);
      assert.equal(readFileSync(join(place.workspace, "text"), "utf8"), "one\nthree\n");
      assert.equal((await place.run("delete_file", { path: "text" })).meta.place, "host");
      assert.equal(existsSync(join(place.workspace, "text")), false);
    });
  });
}

/** Kills a process, which may have ended together with its parent. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}
