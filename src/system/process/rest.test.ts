import assert from "node:assert/strict";
import { test } from "node:test";
import { runScriptWithDescriptors, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { runProcess, type ProcessEnd, type ProcessOptions } from "./process.ts";

const skip = process.platform === "linux" ? false : "needs /proc";

async function sh(
  command: string,
  options: Partial<ProcessOptions> = {},
): Promise<ProcessEnd & { readonly stdout: string }> {
  let stdout = "";
  const end = await runProcess({
    file: "/bin/sh",
    args: ["-c", command],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    onOutput: ({ text }) => void (stdout += text),
    ...options,
  });
  return { ...end, stdout };
}

test("a daemon that holds the pipe open does not delay the result and ends", async () => {
  const startedAt = performance.now();
  const { stdout, exitCode, left } = await sh("sleep 60 & echo $!");
  assert(performance.now() - startedAt < 20_000);
  assert.deepEqual([exitCode, left], [0, 1]);
  assert.equal(isRunning(Number(stdout)), false);
});

test("a daemon that is ignored keeps running", async () => {
  const { stdout, left } = await sh("sleep 60 & echo $!", { rest: "ignore" });
  assert.equal(left, undefined);
  assert.equal(isRunning(Number(stdout)), true);
  process.kill(Number(stdout), "SIGKILL");
});

test("processes that are awaited delay the result, and an abort ends them", { skip }, async () => {
  const ways = "setsid sh -c 'echo $$; sleep 0.3' & (nohup sh -c 'echo $$; sleep 0.3' &)";
  const { stdout } = await sh(ways, { rest: "await" });
  for (const pid of stdout.trim().split("\n").map(Number)) assert.equal(isRunning(pid), false);
  const controller = new AbortController();
  let pid = 0;
  await sh("setsid sh -c 'echo $$; exec sleep 60' &", {
    rest: "await",
    signal: controller.signal,
    onOutput({ text }) {
      pid = Number(text);
      controller.abort();
    },
  });
  assert.equal(isRunning(pid), false);
});

test("of programs that end together, each ends what it left behind itself", { skip }, async () => {
  const leaves = "setsid sh -c 'echo $$; exec sleep 60' & read -r line";
  const starts = Promise.withResolvers<void>();
  let count = 0;
  const ends = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      let pid = 0;
      const { left } = await sh(index % 2 === 0 ? leaves : "echo 0; read -r line", {
        stdin: (input) => void starts.promise.then(() => input.end("end\n")),
        onOutput({ text }) {
          pid = Number(text);
          if ((count += 1) === 20) starts.resolve();
        },
      });
      return [left, pid === 0 ? undefined : isRunning(pid)];
    }),
  );
  for (const [index, end] of ends.entries())
    assert.deepEqual(end, index % 2 === 0 ? [1, false] : [undefined, undefined]);
});

test("without free descriptors no program is started, and none is lost", { skip }, () => {
  const script = `
    import { openSync, closeSync, readdirSync } from "node:fs";
    import { runProcess } from ${JSON.stringify(sourceUrl("src/system/process/process.ts"))};
    const run = (more) =>
      runProcess({ file: "true", cwd: "/", env: { PATH: process.env.PATH }, onOutput() {}, ...more })
        .then(() => "ok", (error) => error.message);
    const count = () => readdirSync("/proc/self/fd").length;
    await run({ namedPipes: true });
    const before = count();
    const messages = new Set();
    for (let free = 0; free < 12; free += 1)
      for (const more of [{}, { stdin: "x" }, { namedPipes: true }]) {
        const held = [];
        try {
          for (;;) held.push(openSync("/"));
        } catch {}
        for (const descriptor of held.splice(0, free)) closeSync(descriptor);
        messages.add(await run(more));
        for (const descriptor of held) closeSync(descriptor);
      }
    console.log(JSON.stringify([count() - before, [...messages].sort(), await run({})]));
  `;
  const { stdout, stderr } = runScriptWithDescriptors(script, 64);
  assert.equal(stderr, "");
  const tooMany = "cannot start true: too many files are open";
  assert.deepEqual(JSON.parse(stdout), [0, [tooMany, "ok"], "ok"]);
});

test("without free descriptors a program waits for another one to end", { skip }, () => {
  const script = `
    import { openSync, closeSync } from "node:fs";
    import { runProcess } from ${JSON.stringify(sourceUrl("src/system/process/process.ts"))};
    const options = { file: "cat", cwd: "/", env: { PATH: process.env.PATH }, onOutput() {} };
    const begun = Promise.withResolvers();
    const first = runProcess({ ...options, stdin: begun.resolve });
    const input = await begun.promise;
    const held = [];
    try {
      for (;;) held.push(openSync("/"));
    } catch {}
    const second = runProcess(options);
    let isOver = false;
    // A program that does not wait fails at once: an unhandled rejection ends the script.
    void second.then(() => (isOver = true));
    input.end();
    await first;
    const isWaiting = !isOver;
    for (const descriptor of held) closeSync(descriptor);
    console.log(JSON.stringify([isWaiting, (await second).exitCode]));
  `;
  const { stdout, stderr } = runScriptWithDescriptors(script, 64);
  assert.equal(stderr, "");
  assert.deepEqual(JSON.parse(stdout), [true, 0]);
});

test(
  "without free descriptors at its end, what a program left behind is ended as soon as there are",
  { skip },
  () => {
    const script = `
    import { openSync, closeSync } from "node:fs";
    import { runProcess } from ${JSON.stringify(sourceUrl("src/system/process/process.ts"))};
    import { isRunning } from ${JSON.stringify(sourceUrl("test/support/programs/is-running.ts"))};
    const held = [];
    let pid = 0;
    const { left } = await runProcess({
      file: "sh",
      args: ["-c", "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null' & read line"],
      cwd: "/",
      env: { PATH: process.env.PATH },
      stdin: (input) => void (globalThis.input = input),
      onOutput({ text }) {
        pid = Number(text);
        try {
          for (;;) held.push(openSync("/"));
        } catch {}
        input.end("go\\n");
      },
      onExit: () => void setTimeout(() => held.forEach((descriptor) => closeSync(descriptor)), 300),
    });
    console.log(JSON.stringify([left, isRunning(pid)]));
  `;
    const { stdout, stderr } = runScriptWithDescriptors(script, 64);
    assert.equal(stderr, "");
    assert.equal(stdout, "[1,false]\n");
  },
);
