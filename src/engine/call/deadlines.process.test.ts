import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const library = JSON.stringify(pathToFileURL(resolve("dist/index.js")).href);

/** Runs a program with an engine, and returns what it printed until it ended by itself. */
function run(program: string): string {
  const script = `
    import { createEngine, defineTool } from ${library};
    const tool = (name, run) => defineTool({ name, description: name, risk: "low", effects: "none", run });
    const never = tool("never", () => new Promise(() => undefined));
    const slow = tool("slow", () => new Promise((settle) => setTimeout(settle, 5)));
    const quick = tool("quick", async () => "quick");
    const engine = createEngine({ mode: "yolo", tools: [never, slow, quick] });
    const call = async (name, timeoutMs = 300) =>
      console.log(name, (await engine.run({ id: name, name, input: {} }, { timeoutMs })).ok);
    ${program}
  `;
  const args = ["--input-type=module", "-e", script];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(stderr, "");
  // 13: the program waits for a promise that nothing settles any more.
  assert.equal(status, 0);
  return stdout;
}

test("a pending call keeps the process alive until its deadline", () => {
  const program = `
    await call("never");
    await call("quick");
    await call("never");
    await new Promise((settle) => setTimeout(settle, 20));
    void call("never");
    await call("quick");
    await call("slow");
    await call("never");
  `;
  const expected = ["never", "quick", "never", "quick", "slow", "never", "never"];
  assert.equal(run(program), expected.map((name) => `${name} ${name !== "never"}\n`).join(""));
});

test("a process whose calls are answered ends, although the timer of their deadlines is armed", () => {
  const ends = 'process.on("exit", () => console.log(performance.now() - endedAt < 30_000));';
  const wait = "await new Promise((settle) => setTimeout(settle, 20));";
  const program = `let endedAt = 0; ${ends} await call("slow", 60_000); ${wait} endedAt = performance.now();`;
  assert.equal(run(program), "slow true\ntrue\n");
});
