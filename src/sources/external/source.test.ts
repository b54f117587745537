import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import {
  externalEngine,
  schemaOf,
  shellTool,
  writeProgram,
} from "../../../test/support/programs/programs.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { engineOf, names } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createExternalSource } from "./source.ts";

const tool = (name: string, body = "echo 1"): string => shellTool(schemaOf(name), body);

test("a program has high risk and unsafe effects, and needs approval, unless the settings say otherwise", async (t) => {
  const claims = { risk: "low", effects: "none", timeout_seconds: 5 };
  const { engine } = await externalEngine(
    t,
    {
      plain: shellTool(schemaOf("plain", claims), "echo 1"),
      eased: shellTool(schemaOf("eased", claims), "echo 1"),
    },
    { tools: { eased: { risk: "low", effects: "none", timeoutMs: 9000 } } },
  );
  const shown = engine.list().map(({ name, risk, effects, place, limits }) => {
    return [name, risk, effects, place, limits?.timeoutMs];
  });
  assert.deepEqual(shown, [
    ["eased", "low", "none", "host", 9000],
    ["plain", "high", "unsafe", "host", 5000],
  ]);
  const careful = engineOf(t, { mode: "auto" });
  careful.add(["plain", "eased"].flatMap((name) => engine.get(name) ?? []));
  assert.equal(codeOf(await careful.run(call("plain"))), "DENIED");
  assert.equal(codeOf(await careful.run(call("eased"))), "ok");
});

test("a refresh adds new programs, drops removed ones and keeps unchanged ones", async (t) => {
  const { engine, tools } = await externalEngine(t, { a: tool("a"), b: tool("b"), c: tool("c") });
  const before = engine.get("a");
  rmSync(join(tools, "b"));
  writeProgram(tools, "c", shellTool(schemaOf("c", { description: "Changed." }), "echo 1"));
  writeProgram(tools, "d", tool("d"));
  const { added, changed, removed } = await engine.sources.refresh();
  assert.deepEqual([added, changed, removed], [["d"], ["c"], ["b"]]);
  assert.equal(engine.get("a"), before);
});

test("a folder that can no longer be read keeps its tools, and they can be called", async (t) => {
  const { engine, tools } = await externalEngine(t, { a: tool("a") });
  const other = `${tools}.moved`;
  renameSync(tools, other);
  writeFileSync(tools, "a file where the folder was");
  const { state, failures } = await engine.sources.refresh();
  assert.equal(state, "failed");
  assert.match(failures[0]?.error.message ?? "", /not a folder/);
  assert.deepEqual(names(engine), ["a"]);
  rmSync(tools);
  renameSync(other, tools);
  assert.equal(textOf(await engine.run(call("a"))), "1");
});

test("a call in flight outlives the removal of its program", async (t) => {
  const { engine, tools, root } = await externalEngine(t, {
    slow: tool("slow", "touch begun; while [ ! -e go ]; do sleep 0.02; done; echo '\"done\"'"),
  });
  const running = engine.run(call("slow"));
  await untilTrue("it runs", () => existsSync(join(root, "begun")));
  rmSync(join(tools, "slow"));
  await engine.sources.refresh();
  assert.deepEqual(names(engine), []);
  writeFileSync(join(root, "go"), "");
  assert.equal(textOf(await running), "done");
});

test("an untrusted program is never run; one that changes after it was trusted is no longer run", async (t) => {
  const root = temporaryFolder(t);
  const tools = join(root, "tools");
  const path = writeProgram(tools, "tool", `#!/bin/sh\ntouch ${root}/ran\n${tool("tool").slice(10)}`);
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  const trusted = new Set<string>();
  const engine = engineOf(t);
  const isTrusted = (fileName: string, found: string): boolean => trusted.has(`${fileName} ${found}`);
  engine.sources.add(
    createExternalSource({
      directories: [{ path: tools, isTrusted }],
      cwd: root,
      environment: { PATH: "/usr/bin:/bin" },
    }),
    { isWatched: false },
  );
  await engine.sources.settled();
  assert.deepEqual([names(engine), existsSync(join(root, "ran"))], [[], false]);
  const [problem] = engine.sources.problems();
  assert.deepEqual([problem?.reason, problem?.hint], ["untrusted", "run toolwright trust"]);
  trusted.add(`tool ${hash}`);
  await engine.sources.refresh();
  assert.equal(codeOf(await engine.run(call("tool"))), "ok");
  rmSync(join(root, "ran"));
  writeFileSync(path, `${readFileSync(path, "utf8")}\n# changed\n`);
  assert.equal(codeOf(await engine.run(call("tool"))), "UNAVAILABLE");
  await engine.sources.refresh();
  assert.deepEqual([names(engine), existsSync(join(root, "ran"))], [[], false]);
});

test("watched folders are read again on changes, also one that is created later", async (t) => {
  const root = temporaryFolder(t);
  const tools = join(root, "deep", "tools");
  const engine = engineOf(t);
  const directories = [{ path: tools }];
  engine.sources.add(
    createExternalSource({ directories, cwd: root, environment: { PATH: "/usr/bin:/bin" } }),
  );
  await engine.sources.settled();
  writeProgram(tools, "a", tool("a"));
  await untilTrue("the new folder is seen", () => names(engine).includes("a"));
  writeProgram(tools, "b", tool("b"));
  await untilTrue("the new program is seen", () => names(engine).includes("b"));
  rmSync(join(tools, "a"));
  await untilTrue("the missing program is seen", () => !names(engine).includes("a"));
});

test("other files written beside the programs, even by the programs, do not cause new queries", async (t) => {
  const root = temporaryFolder(t);
  const tools = join(root, "tools");
  writeProgram(tools, "a", `#!/bin/sh\necho asked >> ${tools}/log\n${tool("a").slice(10)}`);
  const engine = engineOf(t);
  const directories = [{ path: tools }];
  engine.sources.add(
    createExternalSource({ directories, cwd: root, environment: { PATH: "/usr/bin:/bin" } }),
  );
  await engine.sources.settled();
  for (const name of ["b", "c", "d"]) {
    for (let count = 0; count < 20; count += 1) writeFileSync(join(tools, "data"), String(count));
    writeProgram(tools, name, tool(name));
    await untilTrue(`${name} is seen`, () => names(engine).includes(name));
  }
  const asked = readFileSync(join(tools, "log"), "utf8").split("\n").length - 1;
  assert.ok(asked >= 4 && asked <= 12, String(asked));
});

test("closing the engine during discovery ends the queried programs", async (t) => {
  const root = temporaryFolder(t);
  const tools = join(root, "tools");
  writeProgram(
    tools,
    "slow",
    `#!/bin/sh\necho $$ > ${root}/pid.new; mv ${root}/pid.new ${root}/pid; exec sleep 60\n`,
  );
  const engine = engineOf(t);
  const directories = [{ path: tools }];
  engine.sources.add(
    createExternalSource({ directories, cwd: root, environment: { PATH: "/usr/bin:/bin" } }),
  );
  await untilTrue("it is being asked", () => existsSync(join(root, "pid")));
  const pid = Number(readFileSync(join(root, "pid"), "utf8"));
  await engine.close();
  await untilTrue("it is gone", () => !existsSync(`/proc/${pid}/exe`));
});

test("a picture in the form of MCP is content, and a value that only looks like it stays data", async (t) => {
  const picture = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
  const text = { type: "text", text: "a chart" };
  const answers = {
    drawn: { content: [text, picture], structuredContent: { points: 3 } },
    alone: { content: [picture] },
    extra: { content: [picture], size: 1 },
    odd: { content: [{ ...picture, data: "not base64!" }] },
    wrong: { content: [{ ...picture, mimeType: "text/html" }] },
    texts: { content: [text] },
  };
  const programs = Object.entries(answers).map(([name, answer]) => [
    name,
    tool(name, `echo '${JSON.stringify(answer)}'`),
  ]);
  const { engine } = await externalEngine(t, Object.fromEntries(programs) as Record<string, string>);
  const drawn = await engine.run(call("drawn"));
  assert.deepEqual([drawn.content, drawn.ok && drawn.data], [[text, picture], { points: 3 }]);
  assert.deepEqual((await engine.run(call("alone"))).content, [picture]);
  for (const name of ["extra", "odd", "wrong", "texts"] as const) {
    const result = await engine.run(call(name));
    assert.equal(textOf(result), JSON.stringify(answers[name]), name);
    assert.deepEqual(result.ok && result.data, answers[name], name);
  }
});
