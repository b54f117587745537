import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createExternalSource } from "../../src/sources/external/source.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createPolicy } from "../../src/policy/policy.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { call } from "../support/engines/engine.ts";
import { isRunning } from "../support/programs/is-running.ts";
import { mcpEngine, rawServer, toolOf } from "../support/servers/mcp.ts";
import { runningEngine, untilTrue } from "../support/running.ts";
import { sourceUrl } from "../support/faults/child-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const skip = process.platform === "linux" ? false : "needs /proc";

/** Ways to leave a process behind that has no parent and a session of its own; each writes its pid to the file. */
const WAYS: readonly ((file: string) => string)[] = [
  (file) => `setsid sh -c 'echo $$ > ${file}; exec sleep 1000' >/dev/null 2>&1 </dev/null &`,
  (file) => `nohup sh -c 'echo $$ > ${file}; exec sleep 1000' >/dev/null 2>&1 &`,
  (file) => `( ( setsid sh -c 'echo $$ > ${file}; exec sleep 1000' >/dev/null 2>&1 & ) & )`,
];

async function pidIn(file: string): Promise<number> {
  const read = (): string => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  };
  await untilTrue("the process has started", () => read().endsWith("\n"));
  return Number(read());
}

function ended(pid: number): Promise<void> {
  return untilTrue(`process ${pid} has ended`, () => !isRunning(pid));
}

for (const way of WAYS) {
  test(`what a command leaves behind ends with its call: ${way("FILE")}`, { skip }, async (t) => {
    const { root, run } = runningEngine(t);
    const file = join(root, "pid");
    const { text } = await run("shell", { command: `${way(file)}\nuntil [ -s ${file} ]; do :; done` });
    assert.match(text, /\[a process that it left running was ended; background: true/);
    assert.equal(isRunning(await pidIn(file)), false);
  });

  test(
    `a background process is running until what it left behind has ended: ${way("FILE")}`,
    { skip },
    async (t) => {
      const { engine, root, run } = runningEngine(t);
      const file = join(root, "pid");
      await run("shell", { command: `${way(file)}\nuntil [ -s ${file} ]; do :; done`, background: true });
      await run("shell", { command: way(`${file}2`), background: true });
      const [one, two] = [await pidIn(file), await pidIn(`${file}2`)];
      const states = async (): Promise<unknown> => {
        const { data } = await run("view_background_processes", {});
        return (data["processes"] as readonly JsonObject[]).map(({ state }) => state);
      };
      assert.deepEqual(await states(), ["running", "running"]);
      await run("stop_background_process", { id: "bg1", grace_seconds: 1 });
      assert.deepEqual(await states(), ["ended", "running"]);
      assert.deepEqual([isRunning(one), isRunning(two)], [false, true]);
      await engine.close();
      assert.equal(isRunning(two), false);
    },
  );

  test(
    `what a command in a terminal leaves behind ends with the session: ${way("FILE")}`,
    { skip },
    async (t) => {
      const { engine, root, run } = runningEngine(t);
      const file = join(root, "pid");
      await run("shell", { command: way(file), terminal_id: "t" });
      const pid = await pidIn(file);
      assert.equal(isRunning(pid), true);
      await engine.close();
      assert.equal(isRunning(pid), false);
    },
  );

  test(`what a command leaves behind ends with its deadline: ${way("FILE")}`, { skip }, async (t) => {
    const { root, run } = runningEngine(t);
    const file = join(root, "pid");
    const { code } = await run("shell", { command: `${way(file)}\nsleep 1000`, timeout_seconds: 2 });
    assert.equal(code, "TOOL_TIMEOUT");
    await ended(await pidIn(file));
  });

  test(`what an external tool leaves behind ends with its call: ${way("FILE")}`, { skip }, async (t) => {
    const { engine, file } = await externalTool(t, way);
    const result = await engine.run(call("leaves", {}));
    assert.equal(result.ok, true, JSON.stringify(result));
    await ended(await pidIn(file));
  });

  test(`what an MCP server leaves behind ends with the server: ${way("FILE")}`, { skip }, async (t) => {
    const file = join(temporaryFolder(t), "pid");
    const raw = rawServer(t, { tools: [toolOf("read")] });
    const { command, args } = raw.server;
    const script = `${way(file)}\nexec "$@"`;
    const { engine } = await mcpEngine(t, {
      server: { ...raw.server, command: "/bin/sh", args: ["-c", script, "sh", command, ...args] },
    });
    const pid = await pidIn(file);
    assert.equal(isRunning(pid), true);
    await engine.close();
    await ended(pid);
  });
}

test("what a command leaves behind ends when the process of the engine exits", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "pid");
  const way = WAYS[0]?.(file) ?? "";
  const script = `
    const { createEngine } = await import(${JSON.stringify(sourceUrl("src/engine/engine.ts"))});
    const { runningTools } = await import(${JSON.stringify(sourceUrl("src/tools/running/family.ts"))});
    const tools = runningTools({ root: "/", environment: { PATH: process.env.PATH } });
    const engine = createEngine({ mode: "yolo", workspace: ["/"], tools });
    const command = ${JSON.stringify(`${way}\nuntil [ -s ${file} ]; do :; done`)};
    await engine.run({ id: "1", name: "shell", input: { command } });
    process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  await ended(await pidIn(file));
});

test("what a Toolwright below another one starts has the marker of both", { skip }, () => {
  const script = `
    const { createMarker } = await import(${JSON.stringify(sourceUrl("src/system/process/marker.ts"))});
    console.log(createMarker());`;
  const run = (above?: string): string =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      env: { ...process.env, TOOLWRIGHT_CALL: above },
    }).stdout;
  assert.match(run(), /^[-\w]{36}\.1\n$/);
  assert.match(run("above.7"), /^above\.7\.[-\w]{36}\.1\n$/);
});

async function externalTool(
  t: TestContext,
  way: (file: string) => string,
): Promise<{ readonly engine: ReturnType<typeof createEngine>; readonly file: string }> {
  const folder = temporaryFolder(t);
  const file = join(temporaryFolder(t), "pid");
  const schema = JSON.stringify({ name: "leaves", description: "Leaves a process.", parameters: {} });
  const program = `#!/bin/sh\n[ "$1" = --schema ] && { echo '${schema}'; exit; }\n${way(file)}\nuntil [ -s ${file} ]; do :; done\necho '{"ok": true}'\n`;
  writeFileSync(join(folder, "leaves"), program, { mode: 0o755 });
  const engine = createEngine({ policy: createPolicy({ mode: "yolo", workspace: [folder] }) });
  t.after(() => engine.close());
  const environment = childEnvironment(process.env);
  engine.sources.add(createExternalSource({ directories: [{ path: folder }], cwd: folder, environment }));
  await engine.sources.settled();
  return { engine, file };
}
