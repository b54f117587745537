import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { test } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import type { OutputChunk } from "./output.ts";
import { runProcess, type ProcessEnd, type ProcessOptions } from "./process.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

interface Ran extends ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
}

async function sh(command: string, options: Partial<ProcessOptions> = {}): Promise<Ran> {
  const printed = { stdout: "", stderr: "" };
  const end = await runProcess({
    file: "/bin/sh",
    args: ["-c", command],
    cwd: "/",
    env: { PATH },
    onOutput({ stream, text }) {
      printed[stream] += text;
    },
    ...options,
  });
  return { ...end, ...printed };
}

/** Aborts when the process has printed this many lines, and returns the printed numbers. */
async function abortAfterLines(count: number, command: string, graceMs: number): Promise<readonly number[]> {
  const controller = new AbortController();
  let printed = "";
  await sh(command, {
    file: "/bin/bash",
    args: ["-c", command],
    signal: controller.signal,
    graceMs,
    onOutput({ text }) {
      printed += text;
      if (printed.split("\n").length > count) controller.abort();
    },
  });
  return printed.trim().split("\n").map(Number);
}

test("further inputs are read from the descriptors after the standard ones", async () => {
  const large = new Uint8Array(300_000).fill(97);
  const read = await sh("wc -c <&3; cat <&4", { inputs: [large, Buffer.from("second")] });
  assert.deepEqual([read.stdout, read.exitCode], ["300000\nsecond", 0]);
  // A program may end without reading them.
  assert.equal((await sh("exit 3", { inputs: [large] })).exitCode, 3);
});

test("output, exit code and signal are returned", async () => {
  assert.deepEqual(await sh("echo out; echo err >&2; exit 7"), {
    stdout: "out\n",
    stderr: "err\n",
    exitCode: 7,
    signal: null,
  });
  assert.deepEqual(await sh("kill -SEGV $$"), { stdout: "", stderr: "", exitCode: null, signal: "SIGSEGV" });
});

test("both pipes are drained concurrently, completely and in order", async () => {
  const { stdout, stderr } = await sh("seq 1 200000; seq 1 200000 >&2; seq 200001 300000");
  assert.equal(stdout.trim().split("\n").length, 300_000);
  assert(stdout.endsWith("\n300000\n"));
  assert(stderr.endsWith("\n200000\n"));
});

test("output comes while the process runs, in order of arrival", async (context) => {
  const gate = join(temporaryFolder(context), "gate");
  const chunks: OutputChunk[] = [];
  const wait = (name: string): string => `while [ ! -e ${gate}${name} ]; do sleep 0.01; done`;
  await sh(`echo 1; ${wait("1")}; echo 2 >&2; ${wait("2")}; echo 3`, {
    onOutput(chunk) {
      chunks.push(chunk);
      writeFileSync(`${gate}${chunk.text.trim()}`, "");
    },
  });
  assert.deepEqual(chunks, [
    { stream: "stdout", text: "1\n" },
    { stream: "stderr", text: "2\n" },
    { stream: "stdout", text: "3\n" },
  ]);
});

test("a character that is split over two writes arrives whole, a broken one is replaced", async (context) => {
  const gate = join(temporaryFolder(context), "gate");
  const whole = `printf 'a\\303'; : > ${gate}; sleep 0.05; printf '\\274'; printf '\\360\\237'`;
  assert.equal((await sh(whole)).stdout, "aü\uFFFD");
  assert(existsSync(gate));
});

test("standard input is empty, or what was given", async () => {
  assert.equal((await sh("cat")).stdout, "");
  assert.equal((await sh("cat", { stdin: "given" })).stdout, "given");
  // A program that does not read its input does not fail.
  assert.equal((await sh("exit 0", { stdin: "x".repeat(1_000_000) })).exitCode, 0);
});

test("a slow consumer pauses the process and receives all output", async () => {
  let characters = 0;
  let open = 0;
  const { exitCode } = await sh("head -c 3000000 /dev/zero | tr '\\0' a; head -c 3000000 /dev/zero >&2", {
    async onOutput({ text }) {
      open += 1;
      // Two pipes: at most one chunk of each is in flight.
      assert(open <= 2, `${open} chunks at once`);
      await setTimeout(1);
      open -= 1;
      characters += text.length;
    },
  });
  assert.equal(exitCode, 0);
  assert.equal(characters, 6_000_000);
});

test("a failing consumer ends the process, and its error is the result", async () => {
  for (const fail of [
    () => {
      throw new Error("no room");
    },
    () => Promise.reject(new Error("no room")),
  ]) {
    let printed = "";
    await assert.rejects(
      sh("echo $$; exec sleep 60", {
        onOutput({ text }) {
          printed += text;
          return fail();
        },
      }),
      /no room/,
    );
    assert.equal(isRunning(Number(printed)), false);
  }
});

test("a daemon that prints forever does not delay the result", async () => {
  const { stdout, exitCode } = await sh("yes & echo $! >&2; exit 3", { file: "/bin/bash" });
  assert.equal(exitCode, 3);
  // The output in flight when it ended, and a little more.
  assert(stdout.length < 20_000_000, String(stdout.length));
});

test("output just before the end is read even if this process was busy", async () => {
  const running = sh("seq 1 20000");
  const until = performance.now() + 400;
  while (performance.now() < until);
  assert((await running).stdout.endsWith("\n20000\n"));
});

test("on abort a process gets SIGTERM first, and its last output is read", async () => {
  const controller = new AbortController();
  let printed = "";
  const { exitCode } = await sh("trap 'echo bye; exit 9' TERM; echo ready; while :; do :; done", {
    signal: controller.signal,
    graceMs: 10_000,
    onOutput({ text }) {
      printed += text;
      if (printed === "ready\n") controller.abort();
    },
  });
  assert.equal(exitCode, 9);
  assert.equal(printed, "ready\nbye\n");
});

test("on abort a tree that ignores SIGTERM is killed, including grandchildren", async () => {
  const numbers = await abortAfterLines(
    3,
    "trap '' TERM; echo $$; (trap '' TERM; echo $BASHPID; (trap '' TERM; echo $BASHPID; while :; do sleep 1; done) & wait) & wait",
    200,
  );
  assert.equal(numbers.length, 3);
  for (const pid of numbers) assert.equal(isRunning(pid), false, `${pid} still runs`);
});

test("on abort processes in other groups or sessions are ended too", async () => {
  const numbers = await abortAfterLines(
    3,
    "timeout 60 sh -c 'echo $$; sleep 60' & setsid sh -c 'echo $$; sleep 60' & (set -m; sleep 60 & echo $!; wait) & wait",
    2000,
  );
  assert.equal(numbers.length, 3);
  for (const pid of numbers) assert.equal(isRunning(pid), false, `${pid} still runs`);
});

test("an abort during the drain ends the daemon", async () => {
  const controller = new AbortController();
  let daemon = 0;
  await sh("sleep 60 & echo $!", {
    signal: controller.signal,
    drainMs: 60_000,
    onOutput({ text }) {
      daemon = Number(text);
      globalThis.setTimeout(() => controller.abort(), 100);
    },
  });
  assert.equal(isRunning(daemon), false);
});

test("named pipes behave like the others: drained, ended on abort, not delayed by quiet daemons", async () => {
  const { stdout, stderr } = await sh("seq 1 200000; seq 1 200000 > /dev/stderr", { namedPipes: true });
  assert(stdout.endsWith("\n200000\n") && stderr.endsWith("\n200000\n"));
  const daemon = await sh("sleep 60 & echo $!", { namedPipes: true });
  assert.equal(isRunning(Number(daemon.stdout)), false);
  const controller = new AbortController();
  let pid = 0;
  await sh("echo $$; sleep 60", {
    namedPipes: true,
    signal: controller.signal,
    onOutput({ text }) {
      pid = Number(text);
      controller.abort();
    },
  });
  assert.equal(isRunning(pid), false);
});

test("an aborted signal starts nothing", async (context) => {
  const file = join(temporaryFolder(context), "file");
  const signal = AbortSignal.abort(new Error("too late"));
  await assert.rejects(sh(`: > ${file}`, { signal }), /too late/);
  await assert.rejects(sh(`: > ${file}`, { signal, namedPipes: true }), /too late/);
  assert.equal(existsSync(file), false);
});

test("no listener is left on the signal", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const counted = new Proxy(signal, {
    get(target, key) {
      if (key === "addEventListener") listeners += 1;
      if (key === "removeEventListener") listeners -= 1;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await sh("true", { signal: counted });
  assert.equal(listeners, 0);
});

test("no descriptor and no zombie is left behind", async () => {
  const descriptors = (): number => readdirSync("/proc/self/fd").length;
  await sh("true");
  const before = descriptors();
  for (let round = 0; round < 20; round += 1) await sh("echo x; echo y >&2", { namedPipes: round % 2 === 0 });
  await assert.rejects(sh("true", { file: "/no/such/program", namedPipes: true }), ToolError);
  assert(descriptors() <= before, `${descriptors()} > ${before}`);
  const zombies = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
  assert.deepEqual(
    zombies.filter((pid) => pid !== "" && !isRunning(Number(pid))),
    [],
  );
});

test("an error reports why a program cannot be started", async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, "plain"), "#!/bin/sh\n", { mode: 0o644 });
  const cases: readonly (readonly [Partial<ProcessOptions>, RegExp])[] = [
    [{ file: "/no/such/program" }, /no such program/],
    [{ file: join(folder, "plain") }, /permission denied/],
    [{ cwd: "/no/such/folder" }, /the folder \/no\/such\/folder does not exist/],
    [{ cwd: join(folder, "plain") }, /the folder .* does not exist/],
    [{ args: ["-c", "x".repeat(3_000_000)] }, /longer than the system allows/],
    [{ args: ["-c", "a\0b"] }, /NUL/],
  ];
  for (const [options, message] of cases) {
    await assert.rejects(sh("true", options), (error) => {
      assert(error instanceof ToolError);
      assert.match(error.message, message);
      return true;
    });
  }
});

test("a folder without permission is a clear error", (context) => {
  const folder = temporaryFolder(context);
  chmodSync(folder, 0o000);
  const script = `
    const { runProcess } = await import(${JSON.stringify(sourceUrl("src/system/process/process.ts"))});
    await runProcess({ file: "/bin/sh", args: ["-c", "true"], cwd: ${JSON.stringify(folder)}, env: {}, onOutput() {} })
      .then(() => console.log("ran"), (error) => console.log(error.code, error.message));
  `;
  const { stdout, stderr } = runScriptAsNobody(script);
  assert.match(stdout, /^TOOL_FAILED cannot start .*permission denied/, stderr);
});
