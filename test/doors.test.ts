import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { PROGRAMS } from "./flows/support/libexec.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Every module that a fresh process loads while it runs a script. */
function loadedBy(script: string, input = ""): readonly string[] {
  const hooks = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    process.on("exit", () => console.log(JSON.stringify([...loaded, ...process.moduleLoadList])));
  `;
  const program = `${hooks}\n${script}`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    input,
    encoding: "utf8",
  });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "[]") as readonly string[];
}

const root = JSON.stringify(pathToFileURL("dist/index.js").href);

function heavy(modules: readonly string[]): readonly string[] {
  return modules.filter((name) =>
    /node_modules|sqlite|child_process|node:http|undici|worker|crypto/.test(name),
  );
}

test("the root door loads no package and nothing heavy of Node's", () => {
  assert.deepEqual(heavy(loadedBy(`await import(${root})`)), heavy(loadedBy("")));
});

test("errors and replies of the bundle are printed under their names", () => {
  const script = `
    const { ToolError, Reply } = await import(${root});
    console.log(new ToolError("UNAVAILABLE", "later"), new Reply("text"));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  assert.match(output, /^ToolError: later\n[^]* Reply \{/);
});

test("an uncaught error of a program prints its message, its hint and named frames in under 1 KB", () => {
  const script = `
    const { defineTool } = await import(${root});
    function myProgram() { defineTool({ name: "x", description: "x", risk: "hihg", run: () => "y" }); }
    myProgram();
  `;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  assert.match(stderr, /ToolError: tool "x": unknown risk "hihg"\n/);
  assert.match(stderr, /hint: 'did you mean high\?'/);
  assert.match(stderr, /^ {4}at defineTool \([^]*^ {4}at myProgram \(/m);
  assert.doesNotMatch(stderr, /undefined/);
  // The folder of the checkout is in each frame.
  assert.ok(stderr.replaceAll(pathToFileURL("").href, "").length < 1000, stderr);
});

test("every door says which Node it needs when this one is older", () => {
  for (const door of [
    "index",
    ...globSync("dist/doors/*.js").map((file) => `doors/${basename(file, ".js")}`),
  ]) {
    const url = JSON.stringify(pathToFileURL(`dist/${door}.js`).href);
    const script = `
      Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
      await import(${url}).then(() => console.log("loaded"), ({ message }) => console.log(message));
    `;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    assert.equal(output, "toolwright needs Node 22.19 or later; this is Node 20.20.2\n", door);
  }
});

test("a call of a tool with an ordinary schema still loads no package", () => {
  const script = `
    const { createEngine, defineTool, object, number } = await import(${root});
    const add = defineTool({ name: "add", description: "", risk: "low",
      input: object({ a: number(), b: number() }), run: ({ a, b }) => a + b });
    const result = await createEngine({ tools: [add] }).run({ id: "1", name: "add", input: { a: 1, b: 2 } });
    if (result.content[0].text !== "3") throw new Error(JSON.stringify(result));
  `;
  assert.deepEqual(heavy(loadedBy(script)), heavy(loadedBy("")));
});

test("a schema beyond the ordinary is validated in the bundle", () => {
  const script = `
    const { createEngine, defineTool } = await import(${root});
    const input = { type: "object", unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] };
    const odd = defineTool({ name: "odd", description: "", risk: "low", input, run: () => "ran" });
    const engine = createEngine({ tools: [odd] });
    const results = await engine.runAll([
      { id: "1", name: "odd", input: { a: 1 } },
      { id: "2", name: "odd", input: { b: 1 } },
    ]);
    if (!results[0].ok || results[1].ok) throw new Error(JSON.stringify(results));
  `;
  assert.deepEqual(heavy(loadedBy(script)), heavy(loadedBy("")));
});

test("a preset whose schema needs the full validator is checked before the first call", () => {
  const script = `
    const { createEngine, defineTool } = await import(${root});
    const property = { type: "object", unevaluatedProperties: false, properties: { n: { type: "integer" } } };
    const input = { type: "object", properties: { place: property } };
    const tool = (name) => defineTool({ name, description: "", risk: "low", input, run: ({ place }) => JSON.stringify(place) });
    const engine = createEngine();
    engine.add(tool("right"), { presets: { place: { n: "5" } } });
    engine.add(tool("wrong"), { presets: { place: { other: 1 } } });
    const results = [];
    for (const name of ["right", "wrong", "wrong"]) results.push(await engine.run({ id: "1", name, input: {} }));
    const [right, ...wrong] = results;
    if (!right.ok || right.content[0].text !== '{"n":5}') throw new Error(JSON.stringify(right));
    for (const { ok, error } of wrong)
      if (ok || error.code !== "INVALID_INPUT" || !/preset for "place"/.test(error.message)) throw new Error(JSON.stringify(error));
  `;
  assert.deepEqual(heavy(loadedBy(script)), heavy(loadedBy("")));
});

test("the door for extensions loads no package, and has one function", async () => {
  const door = pathToFileURL("dist/doors/extension.js").href;
  assert.deepEqual(heavy(loadedBy(`await import(${JSON.stringify(door)})`)), heavy(loadedBy("")));
  assert.deepEqual(Object.keys((await import(door)) as object), ["defineExtension"]);
});

for (const name of PROGRAMS) {
  test(`libexec/${name} refuses a call without loading a package or anything heavy of Node's`, () => {
    const script = `
      const { default: program } = await import(${JSON.stringify(pathToFileURL("bin/program.js").href)});
      const { PROGRAMS, runProgram } = program.load("libexec.js");
      const own = { version: "", env: {}, cwd: () => process.cwd() };
      const code = await runProgram(PROGRAMS[${JSON.stringify(name)}], [], own);
      if (code !== 2) throw new Error(String(code));
    `;
    assert.deepEqual(heavy(loadedBy(script, "{}")), heavy(loadedBy("")));
  });
}

test("every door that the package exports can be imported by an extension, wherever it lies", (t) => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const doors = Object.keys(exports).filter((name) => name !== "./package.json");
  const imports = doors.map((name) => `import "toolwright${name.slice(1)}";`).join("\n");
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "all.js"), `${imports}\nexport default (api) => api.log("all there");`);
  const script = `
    const { createExtensions } = await import(${JSON.stringify(pathToFileURL("dist/doors/sources.js").href)});
    const logged = [];
    const directories = [{ name: "x", path: ${JSON.stringify(folder)} }];
    const extensions = createExtensions({ directories, log: (_name, message) => logged.push(message) });
    const { problems } = await extensions.sources[0].load(new AbortController().signal);
    if (logged[0] !== "all there") throw new Error(JSON.stringify(problems));
  `;
  assert.ok(doors.length > 4 && loadedBy(script).some((name) => name.includes("doors/extension.js")));
});
