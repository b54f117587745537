import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { extensionEngine, sayModule } from "../../../test/support/programs/extensions.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { engineOf, names } from "../../../test/support/engines/sources.ts";
import type { Approval } from "../../core/approval.ts";

/** A tool that answers when it is released, with the version of its code. */
const waiting = (version: string): string => `import { defineTool } from "toolwright";
import { version } from "./version.js";
export default (api) => {
  api.tool(defineTool({ name: "wait", description: "Waits.", effects: "none", async run() {
    await new Promise((resolve) => { globalThis.begun = resolve; });
    return version + " ${version}";
  } }));
  api.onClose(() => api.log("closed ${version}"));
};`;

const begun = (): (() => void) | undefined => (globalThis as { begun?: () => void }).begun;
const letGo = (): void => {
  begun()?.();
  delete (globalThis as { begun?: () => void }).begun;
};

test("a call in flight finishes on the old code, imports included; new calls use the new code; then onClose runs", async (t) => {
  const { engine, write, logged } = extensionEngine(t, {
    "w/index.js": waiting("one"),
    "w/version.js": 'export const version = "lib one";',
  });
  const old = engine.run(call("wait"));
  await untilTrue("it runs", () => begun() !== undefined);
  const letOldGo = begun();
  delete (globalThis as { begun?: () => void }).begun;
  write("w/index.js", waiting("two"));
  write("w/version.js", 'export const version = "lib two";');
  await engine.sources.refresh();
  const fresh = engine.run(call("wait"));
  await untilTrue("the new one runs", () => begun() !== undefined);
  letGo();
  assert.equal(textOf(await fresh), "lib two two");
  assert.equal(logged.length, 0, "the old code is still in use");
  letOldGo?.();
  assert.equal(textOf(await old), "lib one one");
  await untilTrue("it is closed", () => logged.includes("w: closed one"));
  assert.deepEqual(logged, ["w: closed one"]);
});

test("a change of one file in a folder reloads all modules of the folder", async (t) => {
  const { engine, write } = extensionEngine(t, {
    "a/index.js": sayModule(
      "a",
      "x",
      'api.tool(defineTool({ name: "deep", description: "d", run: () => deep }));',
    ).replace("import", 'import { deep } from "./lib/deep.js";\nimport'),
    "a/lib/deep.js": "export const deep = 1;",
  });
  assert.equal(textOf(await engine.run(call("deep"))), "1");
  write("a/lib/deep.js", "export const deep = 22;");
  const outcome = await engine.sources.refresh();
  assert.deepEqual([outcome.added, outcome.removed], [[], []], "the tools look the same");
  assert.equal(textOf(await engine.run(call("deep"))), "22");
});

test("an extension that has not changed is the same instance after a refresh", async (t) => {
  const { engine, logged } = extensionEngine(t, { "a.js": sayModule("a", "a", 'api.log("set up");') });
  await engine.sources.settled();
  const tool = engine.get("a_tool");
  await engine.sources.refresh();
  assert.equal(engine.get("a_tool"), tool);
  assert.deepEqual(logged, ["a: set up"]);
});

test("a broken version does not replace a working one: tools and hooks stay, and the problem is reported", async (t) => {
  const guard =
    'api.hook({ name: "guard", on: ["before_tool"], run: () => ({ kind: "refuse", reason: "no" }) });';
  const { engine, write, extensions } = extensionEngine(t, { "a.js": sayModule("a", "a", guard) });
  await engine.sources.settled();
  write("a.js", "export default (");
  await engine.sources.refresh();
  assert.match(
    engine.sources.problems()[0]?.message ?? "",
    /SyntaxError.*; the previous version is still in use$/,
  );
  assert.deepEqual([names(engine), extensions.hooks().length], [["a_tool"], 1]);
  assert.equal(codeOf(await engine.run(call("a_tool"))), "DENIED");
  write("a.js", sayModule("a", "fixed"));
  await engine.sources.refresh();
  assert.deepEqual(engine.sources.problems(), []);
  assert.equal(textOf(await engine.run(call("a_tool"))), "fixed");
});

test("a refresh retries an extension that failed, although its file is unchanged", async (t) => {
  const { engine } = extensionEngine(t, {
    "a.js": `if (globalThis.isDown !== false) throw new Error("down");\n${sayModule("a", "up").replace(/^/, "")}`,
  });
  await engine.sources.settled();
  assert.equal(engine.sources.problems().length, 1);
  (globalThis as { isDown?: boolean }).isDown = false;
  await engine.sources.refresh();
  assert.deepEqual([engine.sources.problems(), names(engine)], [[], ["a_tool"]]);
});

test("a removed extension is unregistered completely, and its onClose runs", async (t) => {
  const more = `api.hook({ name: "h", on: ["before_tool"], run() {} }); api.provider("p", () => 1);
    api.command({ name: "c", summary: "s", run() {} }); api.onClose(() => api.log("closed"));`;
  const { engine, extensions, folder, logged } = extensionEngine(t, { "a.js": sayModule("a", "a", more) });
  await engine.sources.settled();
  rmSync(join(folder, "a.js"));
  await engine.sources.refresh();
  assert.deepEqual(names(engine), []);
  assert.deepEqual(
    [extensions.hooks().length, extensions.commands().size, extensions.providers().size],
    [0, 0, 0],
  );
  await untilTrue("it is closed", () => logged.includes("a: closed"));
});

test("a call that waits for its approval while its extension is reloaded is answered UNAVAILABLE, not run after onClose", async (t) => {
  const { extensions, write, logged } = extensionEngine(t, {
    "a.js": sayModule("a", "old", 'api.onClose(() => api.log("closed"));'),
  });
  let approve: ((approval: Approval) => void) | undefined;
  const approver = { ask: () => new Promise<Approval>((resolve) => (approve = resolve)) };
  const engine = engineOf(t, { mode: "ask", approver });
  for (const source of extensions.sources) engine.sources.add(source, { isWatched: false });
  const running = engine.run(call("a_tool"));
  await untilTrue("it is asked about", () => approve !== undefined);
  write("a.js", sayModule("a", "new"));
  await engine.sources.refresh();
  await untilTrue("the old one is closed", () => logged.includes("a: closed"));
  approve?.({ approved: true, scope: "once" });
  const result = await running;
  assert.equal(codeOf(result), "UNAVAILABLE");
  assert.match(textOf(result), /was reloaded while the call waited[\s\S]*make the call again/);
});

test("a watched folder is reloaded on changes, also if it did not exist, and for a nested file", async (t) => {
  const { engine, folder, write } = extensionEngine(t, {}, { isWatched: true });
  await engine.sources.settled();
  const events = eventsOf(engine);
  const until = (text: string) =>
    untilTrue(text, async () => textOf(await engine.run(call("a_tool"))) === text);
  mkdirSync(folder);
  const module = sayModule("a", "x").replace("import", 'import { answer } from "./lib/answer.js";\nimport');
  write("a/lib/answer.js", 'export const answer = "first";');
  write("a/index.js", module.replace('() => "x"', "() => answer"));
  await until("first");
  write("a/lib/answer.js", 'export const answer = "second";');
  await until("second");
  rmSync(join(folder, "a"), { recursive: true });
  await untilTrue("it is gone", () => names(engine).length === 0);
  const loads = events.filter(
    (event) => event.type === "source.changed" && event.state === "complete",
  ).length;
  assert.ok(loads < 20, `${loads} loads`);
});
