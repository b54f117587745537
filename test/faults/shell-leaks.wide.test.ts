import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutProc } from "../flows/support/cli.ts";
import { runScript, sourceUrl } from "../support/faults/child-script.ts";
import { isLong } from "../support/property-runs.ts";

const CALLS = isLong ? 200 : 20;

interface Counted {
  readonly failed: readonly unknown[];
  readonly descriptors: readonly [before: number, after: number];
  readonly children: string;
  readonly grownMb: number;
  readonly records: number;
  readonly listeners: readonly [before: number, after: number];
}

/** Runs concurrent calls twice in a separate process and counts leaked resources. */
function countAfter(command: string): Counted {
  const script = `
    import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { join } from "node:path";
    import { setFlagsFromString } from "node:v8";
    import { runInNewContext } from "node:vm";
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const { createEngine } = await import(${JSON.stringify(sourceUrl("src/engine/engine.ts"))});
    const { runningTools } = await import(${JSON.stringify(sourceUrl("src/tools/running/family.ts"))});
    const stateFolder = mkdtempSync(join(tmpdir(), "toolwright-leaks-"));
    const tools = runningTools({ root: "/", environment: { PATH: process.env.PATH }, stateFolder });
    const engine = createEngine({ mode: "yolo", workspace: ["/"], tools, timeoutMs: 600_000 });
    const command = ${JSON.stringify(command)};
    const run = (index) =>
      engine.run({ id: String(index), name: "shell", input: { command: command.replace("N", index) } });
    const round = async () => {
      const results = await Promise.all(Array.from({ length: ${CALLS} }, (_, index) => run(index)));
      return results.filter((result, index) => result.data?.stdout !== index + "\\n");
    };
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const listeners = () => process.listenerCount("exit");
    const children = () => readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim();
    // Not the resident set: the heap keeps the pages it needed for the concurrent calls.
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
    const failed = await round();
    collect();
    const before = { descriptors: descriptors(), used: used(), listeners: listeners() };
    failed.push(...(await round()));
    // The buffers of the last pipes are released a few turns of the event loop after the answers.
    for (let turn = 0; turn < 200; turn += 1) {
      collect();
      if ((used() - before.used) / 1024 / 1024 < 16) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(JSON.stringify({
      failed,
      descriptors: [before.descriptors, descriptors()],
      children: children(),
      grownMb: (used() - before.used) / 1024 / 1024,
      records: readdirSync(join(stateFolder, "processes")).length,
      listeners: [before.listeners, listeners()],
    }));
    await engine.close();
    rmSync(stateFolder, { recursive: true });
  `;
  const { stdout, stderr } = runScript(script);
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as Counted;
}

for (const [what, command] of [
  ["of one command", "echo N"],
  [
    "of a command with children, pipes and outputs opened by name",
    "(echo N | cat) >/dev/stdout; sleep 0.01 & wait",
  ],
] as const) {
  test(
    `${CALLS} concurrent calls ${what} leave no descriptor, process, record, listener or memory behind`,
    { skip: withoutProc },
    () => {
      const counted = countAfter(command);
      assert.deepEqual(counted.failed, []);
      assert.equal(counted.descriptors[1], counted.descriptors[0]);
      assert.equal(counted.children, "");
      assert.equal(counted.records, 0);
      assert.equal(counted.listeners[1], counted.listeners[0]);
      assert(counted.grownMb < 16, `grew by ${counted.grownMb} MB`);
    },
  );
}
