import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { extensionEngine, sayModule } from "../../../test/support/programs/extensions.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { engineOf, names, reasons, say } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createExtensions } from "./extensions.ts";

test("an extension registers tools, hooks, commands and providers, from JavaScript, TypeScript or a folder", async (t) => {
  const { engine, extensions, logged } = extensionEngine(t, {
    "a.js": sayModule("a", "from a", 'api.provider("local", () => "model"); api.log("ready", { n: 1 });'),
    "b.mts": `import { defineTool, object, string } from "toolwright";
      import type { ExtensionApi } from "toolwright/extension";
      export default (api: ExtensionApi): void => {
        const input = object({ who: string("Whom") });
        api.tool(defineTool({ name: "greet", description: "Greets.", input, risk: "low", run: ({ who }) => "hi " + who }));
        api.command({ name: "wave", summary: "Waves", run: (args, world) => world.print("o/ " + args + "\\n") });
      };`,
    "c/index.ts": 'import { words } from "./lib/words.ts"; export default { name: "c", setup: words };',
    "c/lib/words.ts": `import type { ExtensionApi } from "toolwright/extension";
      export const words = (api: ExtensionApi): void =>
        api.hook({ name: "no", on: ["before_tool"], matches: (m) => m.call?.name === "a_tool", run: () => ({ kind: "refuse", reason: "not today" }) });`,
    "notes.md": "no module",
    "types.d.ts": "export {};",
    "lib/other.js": "a folder without an index",
  });
  assert.equal(textOf(await engine.run(call("greet", { who: "you" }))), "hi you");
  assert.deepEqual(engine.sources.problems(), []);
  assert.deepEqual(
    engine.list().map(({ name, source, risk }) => [name, source, risk]),
    [
      ["a_tool", "extension:a", "medium"],
      ["greet", "extension:b", "low"],
    ],
  );
  const refused = await engine.run(call("a_tool"));
  assert.equal(codeOf(refused), "DENIED");
  assert.match(textOf(refused), /no: not today/);
  assert.deepEqual([...extensions.commands().keys()], ["wave"]);
  assert.equal(extensions.providers().get("local")?.({}), "model");
  assert.deepEqual(logged, ['a: ready {"n":1}']);
});

test("an error that an extension throws is the engine's ToolError, with its code", async (t) => {
  const { engine } = extensionEngine(t, {
    "a.js": `import { ToolError, defineTool } from "toolwright";
      export default (api) => api.tool(defineTool({ name: "locked", description: "d", run() {
        throw new ToolError("MISSING_CREDENTIALS", "no key", { hint: "set KEY" }); } }));`,
  });
  assert.equal(codeOf(await engine.run(call("locked"))), "MISSING_CREDENTIALS");
});

for (const [what, text, expected] of [
  ["does not parse", "export default (", /^failed SyntaxError.*node --check/],
  [
    "throws at import",
    'throw new TypeError("at import");',
    /^failed TypeError: at import \(bad\.js, line 1\)/,
  ],
  ["imports what is not there", 'import "./nothing.js";', /^failed .*nothing\.js/],
  ["throws in setup", 'export default () => { throw new Error("in setup"); };', /^failed Error: in setup/],
  ["rejects in setup", 'export default async () => { throw "a text"; };', /^failed it threw a text/],
  [
    "never ends its import",
    "await new Promise(() => setInterval(() => {}, 1e6).unref());",
    /^timeout .*0\.3 s/,
  ],
  ["never ends its setup", "export default () => new Promise(() => {});", /^timeout .*0\.3 s/],
  ["exports nothing", "export const a = 1;", /^bad_schema .*defineExtension/],
  ["exports nonsense", "export default { name: 1, setup: 2 };", /^bad_schema/],
  ["has an impossible name", 'export default { name: "../x", setup() {} };', /^bad_name/],
  ["is CommonJS", "module.exports = () => {};", /^failed .*module is not defined/],
  [
    "registers what is no tool",
    "export default (api) => api.tool({ name: 'x' });",
    /^bad_schema the tool "x": .*description is missing/s,
  ],
  [
    "registers a nameless tool",
    "export default (api) => api.tool(undefined);",
    /^bad_schema the tool without a name/,
  ],
  [
    "registers what is no hook",
    "export default (api) => api.hook({ name: 'h', run() {} });",
    /^bad_schema the hook "h": on is missing/,
  ],
  [
    "registers what is no command",
    "export default (api) => api.command({ name: '/x' });",
    /^bad_schema the command "\/x": .*name: expected up to 64 letters/s,
  ],
  [
    "registers what is no provider",
    "export default (api) => api.provider('p', 1);",
    /^bad_schema .*provider "p"/,
  ],
  ["has the name of another", 'export default { name: "good", setup() {} };', /^name_taken/],
] as const) {
  test(`an extension that ${what} is a problem of its own and does not affect the others`, async (t) => {
    const files = {
      "0-good.js": sayModule("good", "fine"),
      "bad.js": text,
      "z.js": sayModule("z", "fine too"),
    };
    const { engine, folder } = extensionEngine(t, files, { limitMs: 300 });
    await engine.sources.settled();
    assert.deepEqual(names(engine), ["good_tool", "z_tool"]);
    const [problem, ...more] = engine.sources.problems();
    assert.deepEqual([problem?.subject, more], [join(folder, "bad.js"), []]);
    assert.match(`${problem?.reason} ${problem?.message} ${problem?.hint}`, expected);
    assert.equal(textOf(await engine.run(call("good_tool"))), "fine");
  });
}

test("a tool or command whose name is taken is skipped, and the rest of its extension works", async (t) => {
  const command = (name: string): string => `api.command({ name: "${name}", summary: "s", run() {} });`;
  const other = 'api.tool(defineTool({ name: "first", description: "d", run: () => 1 }));';
  const files = {
    "a.js": sayModule("a", "a", command("go")),
    "b.js": sayModule("b", "b", `${other} ${command("go")} ${command("tool")} ${command("stop")}`),
  };
  const { engine, extensions } = extensionEngine(t, files, { takenCommands: ["tool"] });
  engine.add(say("first", "mine"));
  await engine.sources.settled();
  assert.deepEqual(names(engine), ["first", "a_tool", "b_tool"]);
  assert.equal(textOf(await engine.run(call("first"))), "mine");
  assert.deepEqual([...extensions.commands().keys()], ["go", "stop"]);
  assert.deepEqual(reasons(engine.sources.problems()), [
    "extensions:user extension:b name_taken",
    "extensions:user extension:b name_taken",
    "extensions:user first name_taken",
  ]);
});

test("onClose functions run after a failed setup, also those registered late", async (t) => {
  const { engine, logged, extensions } = extensionEngine(
    t,
    {
      "a.js": 'export default (api) => { api.onClose(() => api.log("closed")); throw new Error("no"); };',
      "b.js": `export default async (api) => {
        await new Promise((resolve) => { globalThis.letGo = resolve; });
        api.onClose(() => api.log("closed late"));
        api.command({ name: "late", summary: "s", run() {} });
      };`,
    },
    { limitMs: 200 },
  );
  await engine.sources.settled();
  assert.deepEqual(logged, ["a: closed"]);
  (globalThis as unknown as { letGo: () => void }).letGo();
  await new Promise(setImmediate);
  assert.deepEqual(logged, ["a: closed", "b: closed late"]);
  assert.equal(extensions.commands().size, 0);
});

test("nothing can be registered after setup", async (t) => {
  const { engine, extensions } = extensionEngine(t, {
    "a.js": `export default (api) => api.command({ name: "late", summary: "s",
      run: () => api.tool({ name: "x" }) });`,
  });
  await engine.sources.settled();
  const late = extensions.commands().get("late");
  assert.throws(() => void late?.run("", undefined as never), /can only be registered during setup/);
});

test("closing the engine calls onClose, last first, and a failing one is only logged", async (t) => {
  const { engine, logged } = extensionEngine(t, {
    "a.js": `export default (api) => {
      api.onClose(() => api.log("first"));
      api.onClose(() => { throw new Error("cannot"); });
      api.onClose(async () => { await null; api.log("last"); });
    };`,
  });
  await engine.sources.settled();
  await engine.close();
  assert.deepEqual(logged, ["a: last", "a: onClose failed: cannot", "a: first"]);
});

test("a world-writable folder or file is not used", async (t) => {
  const { engine, folder } = extensionEngine(t, { "a.js": sayModule("a", "a"), "b.js": sayModule("b", "b") });
  chmodSync(join(folder, "a.js"), 0o666);
  await engine.sources.settled();
  assert.deepEqual(names(engine), ["b_tool"]);
  chmodSync(folder, 0o777);
  const { state } = await engine.sources.refresh();
  assert.deepEqual([state, names(engine)], ["failed", ["b_tool"]], "what was loaded before stays");
});

test("a folder that cannot be read keeps its extensions and does not affect the others", async (t) => {
  const root = temporaryFolder(t);
  const paths = ["one", "two"].map((name) => join(root, name));
  for (const [index, path] of paths.entries()) {
    mkdirSync(path);
    writeFileSync(join(path, "x.js"), sayModule(`x${index}`, "x"));
  }
  const [one = "", two = ""] = paths;
  const extensions = createExtensions({
    directories: [
      { name: "one", path: one },
      { name: "two", path: two },
    ],
  });
  const engine = engineOf(t);
  for (const source of extensions.sources) engine.sources.add(source, { isWatched: false });
  await engine.sources.settled();
  renameSync(one, `${one}.moved`);
  writeFileSync(one, "");
  rmSync(join(two, "x.js"));
  await engine.sources.refresh();
  assert.deepEqual(names(engine), ["x0_tool"]);
});

test("of two folders the first wins a name conflict, and links to the user's own modules are followed", async (t) => {
  const root = temporaryFolder(t);
  for (const folder of ["one", "two", "elsewhere"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "elsewhere/a.js"), sayModule("same", "one"));
  symlinkSync(join(root, "elsewhere/a.js"), join(root, "one/a.js"));
  writeFileSync(join(root, "two/a.js"), sayModule("same", "two"));
  const directories = ["one", "two"].map((name) => ({ name, path: join(root, name) }));
  const engine = engineOf(t);
  for (const source of createExtensions({ directories }).sources)
    engine.sources.add(source, { isWatched: false });
  await engine.sources.settled();
  assert.equal(textOf(await engine.run(call("same_tool"))), "one");
  assert.deepEqual(reasons(engine.sources.problems()), [
    `extensions:two ${join(root, "two/a.js")} name_taken`,
  ]);
});

test("tools and hooks may be class instances, with all their methods", async (t) => {
  const { engine } = extensionEngine(t, {
    "a.js": `
      class Guard { name = "guard"; on = ["before_tool"]; matches({ call }) { return call.name === "other"; }
        run() { return { kind: "refuse", reason: this.name }; } }
      class Own { name = "own"; description = "d"; input = { type: "object" }; risk = "low"; place = "host"; effects = "none";
        source = "mine"; answer = 42; check() { return []; } run() { return this.answer; } }
      export default (api) => { api.hook(new Guard()); api.tool(new Own()); };`,
  });
  const result = await engine.run(call("own"));
  assert.deepEqual([textOf(result), result.meta.source], ["42", "extension:a"]);
});

test("an extension that finishes loading after the engine is closed is closed at once", async (t) => {
  const { engine, extensions, logged } = extensionEngine(t, {
    "a.js": `export default async (api) => {
      api.onClose(() => api.log("closed"));
      await new Promise((resolve) => { globalThis.goOn = resolve; });
    };`,
  });
  const going = globalThis as { goOn?: () => void };
  const ready = extensions.ready();
  await untilTrue("it is being set up", () => going.goOn !== undefined);
  const closing = engine.close();
  going.goOn?.();
  await Promise.all([closing, ready]);
  await untilTrue("it is closed", () => logged.length > 0);
  assert.deepEqual([logged, extensions.hooks()], [["a: closed"], []]);
});

test("two engines in one process have separate instances", async (t) => {
  const text = `let count = 0; import { defineTool } from "toolwright"; export default (api) =>
    api.tool(defineTool({ name: "count", description: "d", run: () => (count += 1) }));`;
  const first = extensionEngine(t, { "a.js": text });
  const engine = engineOf(t);
  const directories = [{ name: "same", path: first.folder }];
  for (const source of createExtensions({ directories }).sources) engine.sources.add(source);
  assert.equal(textOf(await first.engine.run(call("count"))), "1");
  assert.equal(textOf(await engine.run(call("count"))), "1");
  assert.equal(textOf(await first.engine.run(call("count"))), "2");
});
