import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { dataOf, memoryArtifacts, runTool, textOf } from "../../../../test/support/engines/tool-context.ts";
import { provide } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { HiddenPaths } from "../../../core/session/hidden-paths.ts";
import type { Tool } from "../../../core/tool.ts";
import { createEngine } from "../../../engine/engine.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";

type Files = Readonly<Record<string, string>>;

function tree(context: TestContext, files: Files): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, tool: grep({ root }) };
}

test("matching lines come with file and line, sorted by file", async (context) => {
  const { tool } = tree(context, {
    "b.ts": "one\ntwo\none\r\n",
    "a/c.ts": "xonex",
    "d.ts": "none here? no: ONE",
  });
  const reply = await runTool(tool, { pattern: "\\bone|xone" });
  assert.deepEqual(reply.items, ["a/c.ts:1:xonex", "b.ts:1:one", "b.ts:3:one"]);
  assert.deepEqual(reply.data, {
    matches: [
      { path: "a/c.ts", line: 1, text: "xonex" },
      { path: "b.ts", line: 1, text: "one" },
      { path: "b.ts", line: 3, text: "one" },
    ],
  });
});

test("files and counts are other answers to the same search", async (context) => {
  const { tool } = tree(context, { "a.ts": "x x\nx", "b.ts": "x", "c.ts": "y" });
  const files = await runTool(tool, { pattern: "x", output: "files" });
  assert.deepEqual(files.items, ["a.ts", "b.ts"]);
  assert.deepEqual(files.data, { files: ["a.ts", "b.ts"] });
  const counts = await runTool(tool, { pattern: "x", output: "count" });
  assert.deepEqual(counts.items, ["a.ts:3", "b.ts:1"]);
  assert.deepEqual(counts.data, {
    counts: [
      { path: "a.ts", count: 3 },
      { path: "b.ts", count: 1 },
    ],
  });
});

test("case, plain text and lines are read as asked", async (context) => {
  const { tool } = tree(context, { a: "a.c\nabc\nABC\nend\nof" });
  const lines = async (input: object): Promise<readonly string[] | undefined> =>
    (await runTool(tool, { pattern: "a.c", ...input })).items;
  assert.deepEqual(await lines({}), ["a:1:a.c", "a:2:abc"]);
  assert.deepEqual(await lines({ ignore_case: true }), ["a:1:a.c", "a:2:abc", "a:3:ABC"]);
  assert.deepEqual(await lines({ fixed_strings: true }), ["a:1:a.c"]);
  assert.deepEqual(await lines({ pattern: "ABC.*of" }), undefined);
  assert.deepEqual(await lines({ pattern: "ABC.*of", multiline: true }), ["a:3:ABC\na:4:end\na:5:of"]);
  assert.deepEqual(await lines({ pattern: "-e", fixed_strings: true }), undefined);
});

test("context is shown around each match, and no line twice", async (context) => {
  const { tool } = tree(context, { a: "1\n2\nx3\n4\n5\n6\nx7\nx8\n9\n" });
  const reply = await runTool(tool, { pattern: "x", context_lines: 2 });
  assert.deepEqual(reply.items, [
    "a-1-1\na-2-2\na:3:x3\na-4-4\na-5-5\n--",
    "a-6-6\na:7:x7\n--",
    "a:8:x8\na-9-9\n--",
  ]);
  const { matches } = dataOf(reply);
  assert.equal(Array.isArray(matches) && matches.length, 3);
});

test("include narrows the search and takes nothing back that is left out", async (context) => {
  const { tool } = tree(context, {
    ".gitignore": "*.log\nvendor/\n",
    "a.log": "x",
    "src/a.ts": "x",
    "src/deep/b.ts": "x",
    "src/a.js": "x",
    "vendor/a.ts": "x",
    ".hidden.ts": "x",
    "src/c.log": "x",
  });
  const files = async (include: string): Promise<readonly string[] | undefined> =>
    (await runTool(tool, { pattern: "x", include, output: "files" })).items;
  assert.deepEqual(await files("*.ts"), ["src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await files("*.{ts,js}"), ["src/a.js", "src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await files("src/*.ts"), ["src/a.ts"]);
  assert.deepEqual(await files("./src/**"), ["src/a.js", "src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await files("*.log"), undefined);
  assert.deepEqual(await files("**/*.log"), undefined);
  assert.deepEqual(await files("vendor/**"), undefined);
});

test("one file can be searched, and only the judged one", async (context) => {
  const { root, tool } = tree(context, { "a.txt": "no\nyes", other: "yes too", ".hidden": "yes" });
  symlinkSync("a.txt", join(root, "link"));
  assert.deepEqual((await runTool(tool, { pattern: "yes", path: "link" })).items, ["a.txt:2:yes"]);
  assert.deepEqual((await runTool(tool, { pattern: "yes", path: ".hidden" })).items, [".hidden:1:yes"]);
  const count = await runTool(tool, { pattern: "yes", path: "a.txt", output: "count" });
  assert.deepEqual(count.items, ["a.txt:1"]);
  assert.deepEqual((await runTool(tool, { pattern: "yes", path: "a.txt", output: "files" })).items, [
    "a.txt",
  ]);
  const swap = (): void => renameSync(join(root, "other"), join(root, "a.txt"));
  await assert.rejects(
    runTool(tool, { pattern: "yes", path: "a.txt" }, { beforeRun: swap }),
    /changed between/,
  );
});

test("links in a folder are not followed, and pipes are not opened", async (context) => {
  const { root, tool } = tree(context, { a: "root" });
  symlinkSync("/etc/passwd", join(root, "link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  assert.deepEqual((await runTool(tool, { pattern: "root" })).items, ["a:1:root"]);
  await assert.rejects(runTool(tool, { pattern: "x", path: "pipe" }), /is a named pipe/);
  await assert.rejects(runTool(tool, { pattern: "x", path: "/dev/zero" }), /is a device/);
});

test("binary files are skipped, and reported if one is searched directly", async (context) => {
  const { tool } = tree(context, { bin: "a\0needle", text: "needle" });
  assert.deepEqual((await runTool(tool, { pattern: "needle" })).items, ["text:1:needle"]);
  await assert.rejects(
    runTool(tool, { pattern: "needle", path: "bin" }),
    /bin is a binary file that contains/,
  );
});

test("a file that is binary only after its match takes no match from the next file", async (context) => {
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`text${index}`, "needle"]));
  const { tool } = tree(context, { bin: `needle\n${"line\n".repeat(50_000)}\0`, ...files });
  const found = (await runTool(tool, { pattern: "needle" })).items;
  assert.deepEqual(found, ["bin:1:needle", ...Object.keys(files).map((name) => `${name}:1:needle`)]);
});

test("a bad pattern is invalid input with ripgrep's own words", async (context) => {
  const { tool } = tree(context, { a: "x" });
  for (const input of [{ pattern: "(" }, { pattern: "x", include: "[" }, { pattern: "x", include: "a/{" }]) {
    await assert.rejects(runTool(tool, input), (error) => {
      assert(error instanceof ToolError);
      assert.equal(error.code, "INVALID_INPUT", error.message);
      return true;
    });
  }
  await assert.rejects(runTool(tool, { pattern: "(" }), /unclosed group/);
});

test("nothing found is an answer, a missing folder is not", async (context) => {
  const { tool } = tree(context, { a: "x" });
  const reply = await runTool(tool, { pattern: "nope" });
  assert.equal(textOf(reply), "[no matches]");
  assert.deepEqual(reply.data, { matches: [] });
  await assert.rejects(runTool(tool, { pattern: "x", path: "b" }), /does not exist/);
});

for (const [include, says] of [
  ["*.ts,*.tsx", /alternatives need braces, such as "\{\*\.ts,\*\.tsx\}"/],
  ["src/jsx", /it is a folder; "src\/jsx\/\*\*" matches the files in it/],
  ["*.py", /^\[no file matches include="\*\.py"\]\n\[no matches\]$/],
  ["lib/**", /^\[no file matches include="lib\/\*\*"\]\n\[no matches\]$/],
] as const) {
  test(`an include that fits no file is named: ${include}`, async (context) => {
    const { tool } = tree(context, { "a.ts": "x", "b.tsx": "x", "src/jsx/c.js": "x" });
    for (const output of ["content", "files", "count"])
      assert.match(textOf(await runTool(tool, { pattern: "x", include, output })), says);
  });
}

test("an include that fits a file without the pattern is not blamed", async (context) => {
  const { tool } = tree(context, { "a.ts": "x", "b,c.ts": "x", "src/d.ts": "x" });
  for (const include of ["*.ts", "b,c.ts", "src/**", "{a,b}.ts"])
    for (const output of ["content", "files", "count"])
      assert.equal(textOf(await runTool(tool, { pattern: "nope", include, output })), "[no matches]");
});

test("an include that matches only files hidden by policy matches no file", async (context) => {
  const { root, tool } = tree(context, { "a.pem": "x", "b.txt": "x", "c.txt": "x" });
  const engine = createEngine({ tools: [tool], workspace: [root] });
  const hidden = provide(HiddenPaths, (path) => path.endsWith(".pem") || path.endsWith("b.txt"));
  for (const output of ["content", "files", "count"]) {
    const textFor = async (include: string): Promise<string> => {
      const input = { pattern: "nope", include, output };
      return textOf(await engine.run({ id: "1", name: "grep", input }, { context: [hidden] }));
    };
    assert.equal(await textFor("*.pem"), '[no file matches include="*.pem"]\n[no matches]');
    assert.equal(await textFor("*.txt"), "[no matches]");
  }
  await engine.close();
});

test("an include that matches only a file that an ordinary user may not read is not blamed", (context) => {
  const { root } = tree(context, { "closed.ts": "x", "open.js": "x" });
  chmodSync(join(root, "closed.ts"), 0o000);
  const { stdout, stderr } = runScriptAsNobody(`
    const { grep } = await import(${JSON.stringify(sourceUrl("src/tools/files/search/grep.ts"))});
    const { runTool, textOf } = await import(${JSON.stringify(sourceUrl("test/support/engines/tool-context.ts"))});
    console.log(textOf(await runTool(grep({ root: ${JSON.stringify(root)} }), { pattern: "x", include: "*.ts" })));
  `);
  assert.match(
    stdout || stderr,
    /^\[not everything could be read: closed\.ts: Permission denied[^\n]*\]\n\[no matches\]\n$/,
  );
});

test("an include cannot exclude files", async (context) => {
  const { tool } = tree(context, { "a.ts": "x" });
  const problems = await tool.check?.({ pattern: "x", include: "!*.js" }, undefined as never);
  assert.match(JSON.stringify(problems), /cannot exclude/);
});

test("a .gitignore that includes all folders does not show hidden ones", async (context) => {
  const files = { ".git/config": "x", ".secret/a.ts": "x", "src/.b/c.ts": "x", "src/d.ts": "x" };
  const { root, tool } = tree(context, { ".gitignore": "*\n!*/\n!*.ts\n", ...files });
  for (const include of [undefined, "*.ts", "**/*.ts"])
    assert.equal(textOf(await runTool(tool, { pattern: "x", ...(include && { include }) })), "src/d.ts:1:x");
  for (const pattern of ["**", "*.ts", "src/**/*.ts"])
    assert.equal(textOf(await runTool(glob({ root }), { pattern })), "src/d.ts");
  assert.equal(textOf(await runTool(ls({ root }), { recursive: true })), "src/\nsrc/d.ts");
  const all = textOf(await runTool(glob({ root }), { pattern: "**", include_hidden: true }));
  assert.deepEqual(all.split("\n").sort(), [".secret/a.ts", "src/.b/c.ts", "src/d.ts"]);
});

test("max_results limits the list, reports the total, and stores all", async (context) => {
  const { tool } = tree(context, { a: "x\n".repeat(10) });
  const artifacts = memoryArtifacts();
  const reply = await runTool(tool, { pattern: "x", max_results: 3 }, { artifacts });
  assert.deepEqual(reply.items, ["a:1:x", "a:2:x", "a:3:x"]);
  assert.deepEqual(reply.truncated, { shape: "matches", total: 10, artifactId: "artifact-1" });
  assert.equal(artifacts.texts.get("artifact-1")?.split("\n").length, 10);
});

test("a search without end is ended, and says at least how many", async (context) => {
  const { tool } = tree(context, { a: "x\n".repeat(100_000) });
  const reply = await runTool(tool, { pattern: "x" });
  assert((reply.items?.length ?? 0) < 10_000);
  assert.equal(reply.truncated?.atLeast, true);
});

test("a match without end is ended too", async (context) => {
  const { tool } = tree(context, { a: `${"y".repeat(400)}\n`.repeat(100_000) });
  const reply = await runTool(tool, { pattern: "y.*", multiline: true });
  assert.equal(reply.items?.length, 1);
  assert((reply.items[0]?.length ?? 0) < 10_000_000);
  assert.equal(reply.truncated?.atLeast, true);
});

test("a long line is cut by ripgrep, which says so", async (context) => {
  const { tool } = tree(context, { a: `x${"y".repeat(10_000)}` });
  const [item = ""] = (await runTool(tool, { pattern: "x" })).items ?? [];
  assert(item.length < 700, String(item.length));
  assert.match(item, /omitted end of long line/);
});

test("a search that times out returns what it has found, also in a folder that changed meanwhile", async (context) => {
  const { root, tool } = tree(context, { quick: "needle 1", "sub/slow": "needle 2" });
  // Ripgrep reads the rules of a folder before its files, and waits for what this pipe never gives.
  execFileSync("mkfifo", [join(root, "sub/.gitignore")]);
  const engine = createEngine({ tools: [tool], workspace: [root], timeoutMs: 4000 });
  const changing = setInterval(() => chmodSync(root, 0o755), 100);
  const result = await engine.run({ id: "1", name: "grep", input: { pattern: "needle" } });
  clearInterval(changing);
  assert.equal(result.ok, true, JSON.stringify(result.content));
  assert.deepEqual(result.ok && result.data, {
    matches: [{ path: "quick", line: 1, text: "needle 1" }],
    partial: true,
  });
  assert.match(JSON.stringify(result.content), /\[partial: timed out after 3\.?\d* s/);
  await engine.close();
});

test("a cancelled search is cancelled, not partial", async (context) => {
  const { tool } = tree(context, { a: "x" });
  const signal = AbortSignal.abort(new ToolError("CANCELLED", "enough"));
  await assert.rejects(runTool(tool, { pattern: "x" }, { signal }), /enough/);
});

test("include can be an absolute path; one outside the folder is reported", async (context) => {
  const { root, tool } = tree(context, { "src/a.ts": "x", "b.ts": "x" });
  assert.deepEqual((await runTool(tool, { pattern: "x", include: `${root}/src/*.ts` })).items, [
    "src/a.ts:1:x",
  ]);
  const elsewhere = await runTool(tool, { pattern: "x", include: "/elsewhere/*.ts" });
  assert.match(textOf(elsewhere), /^\[a pattern counts from .*: give another one as path\]\n\[no matches\]$/);
});
