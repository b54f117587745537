import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { resolve } from "node:path/posix";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Kilobytes, gzipped. */
const LIMITS = { atOnce: 80, inOneFile: 132 };

const MINIMAL = `
  import { createEngine, defineTool, s } from "./dist/index.js";
  const add = defineTool({ name: "add", description: "Adds one.", reading: true, input: s.object({ a: s.number() }), run: ({ a }) => a + 1 });
  const engine = createEngine({ tools: [add] });
  const { content } = await engine.run({ id: "1", name: "add", input: { a: 1 } });
  console.log(content[0].text);
`;

async function bundle(contents: string, { splitting = false, outdir = "out" } = {}) {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), sourcefile: "app.js" },
    bundle: true,
    splitting,
    outdir,
    minify: true,
    format: "esm",
    platform: "node",
    external: ["@lydell/node-pty", "@vscode/ripgrep"],
    metafile: true,
    write: outdir !== "out",
    logLevel: "error",
  });
  return { outputs: metafile.outputs, files: outputFiles ?? [] };
}

/** Returns the gzipped kilobytes of what a program loads before its first call. */
async function size(splitting: boolean): Promise<number> {
  const { outputs, files } = await bundle(MINIMAL, { splitting });
  const needed = new Set(["out/stdin.js"]);
  for (const file of needed)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && path in outputs) needed.add(path);
  const texts = files.filter(({ path }) => [...needed].some((file) => resolve(file) === path));
  assert.equal(texts.length, needed.size);
  return gzipSync(Buffer.concat(texts.map(({ contents }) => contents))).length / 1000;
}

test("a minimal program loads little at once, and little more is in its one file", async (t) => {
  const [atOnce, inOneFile] = [await size(true), await size(false)];
  t.diagnostic(`${atOnce} KB at once, ${inOneFile} KB in one file`);
  assert.ok(atOnce <= LIMITS.atOnce, `${atOnce} KB at once`);
  assert.ok(inOneFile <= LIMITS.inOneFile, `${inOneFile} KB in one file`);
});

/** Runs a program that is bundled into one file far from the package. */
async function runBundled(contents: string, outdir: string): Promise<string> {
  await bundle(contents, { outdir });
  return execFileSync(process.execPath, [join(outdir, "stdin.js")], { encoding: "utf8" }).trim();
}

test("bundled, a program says which Node it needs, although its bundler drops what has no effects", async (t) => {
  const outdir = temporaryFolder(t);
  await bundle(MINIMAL, { outdir });
  const older = "Object.defineProperty(process.versions, 'node', { value: '20.18.0' });";
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${older}`, join(outdir, "stdin.js")],
    { encoding: "utf8" },
  );
  assert.match(stderr, /toolwright needs Node 22\.19 or later; this is Node 20\.18\.0/);
});

const SHELL = `
  const tool = defineTool({ name: "sh", description: "Runs a command.", risk: "high", input: { type: "object", properties: { text: { type: "string" } } },
    facts: ({ text }) => [{ kind: "command", text, cwd: "/" }], run: () => "ran" });
  const kinds = [];
  for (const [mode, text] of [["auto", "ls"], ["yolo", "ls"], ["plan", "ls"]]) {
    const { verdict } = await createEngine({ tools: [tool], mode, workspace: ["/"] }).explain({ id: "1", name: "sh", input: { text } });
    kinds.push(verdict.kind, verdict.rule);
  }
  console.log(kinds.join(" "));
`;

test("in a bundle without the reader of commands each command needs approval, in every mode that does not refuse it", async (t) => {
  const output = await runBundled(
    `import { createEngine, defineTool } from "./dist/index.js"; ${SHELL}`,
    temporaryFolder(t),
  );
  assert.equal(output, "ask unread-command ask unread-command deny mode.plan.high");
});

test("a bundle with the built-in tools has the reader of commands", async (t) => {
  const output = await runBundled(
    `import { createEngine, defineTool } from "./dist/index.js"; import { builtInTools, childEnvironment } from "./dist/doors/tools.js"; builtInTools({ root: "/", environment: childEnvironment(process.env) }); ${SHELL}`,
    temporaryFolder(t),
  );
  assert.doesNotMatch(output, /unread-command/);
  const run = `
    import { createEngine } from "./dist/index.js";
    import { builtInTools, childEnvironment } from "./dist/doors/tools.js";
    const root = process.cwd();
    const engine = createEngine({ tools: builtInTools({ root, environment: childEnvironment(process.env) }), workspace: [root], mode: "yolo" });
    console.log((await engine.run({ id: "1", name: "shell", input: { command: "git --version" } })).content[0].text);
    await engine.close();
  `;
  assert.match(await runBundled(run, temporaryFolder(t)), /^git version/);
});
