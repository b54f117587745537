import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { dataOf, runTool, textOf, toolContext } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import type { Tool } from "../../../core/tool.ts";
import { createEngine } from "../../../engine/engine.ts";
import { readManyFiles } from "./read-many-files.ts";

type Files = Readonly<Record<string, string | Buffer>>;

function tree(context: TestContext, files: Files): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, tool: readManyFiles({ root }) };
}

async function factsOf(tool: Tool, paths: readonly string[]): Promise<readonly string[]> {
  const facts = (await tool.facts?.({ paths }, toolContext(tool, { paths }))) ?? [];
  return facts.map((fact) => (fact as PathFact).path);
}

test("files are in the given order, those of a glob by name, each once", async (context) => {
  const { tool } = tree(context, {
    "b.ts": "b\n",
    "src/z.ts": "z\n",
    "src/a.ts": "a1\na2\n",
    "src/c.js": "c\n",
  });
  const reply = await runTool(tool, { paths: ["src/z.ts", "src/*.ts", "**/*.ts"] });
  assert.equal(
    textOf(reply),
    "==> src/z.ts <==\n     1\tz\n==> src/a.ts <==\n     1\ta1\n     2\ta2\n==> b.ts <==\n     1\tb",
  );
  const { files, failed, left_out } = dataOf(reply);
  assert.deepEqual([failed, left_out], [[], []]);
  assert.deepEqual(Array.isArray(files) && files[1], {
    path: "src/a.ts",
    start_line: 1,
    lines: 2,
    total_lines: 2,
    encoding: "utf-8",
  });
});

test("start_line and limit count for each file", async (context) => {
  const { tool } = tree(context, { a: "1\n2\n3\n", b: "1\n2\n3\n4\n" });
  const text = textOf(await runTool(tool, { paths: ["a", "b"], start_line: 2, limit: 2 }));
  assert.equal(
    text,
    "==> a <==\n     2\t2\n     3\t3\n==> b <==\n     2\t2\n     3\t3\n[lines 2 to 3 of 4 shown; continue with start_line=4]",
  );
});

test("a file that cannot be read is listed with the reason and does not affect the others", async (context) => {
  const { root, tool } = tree(context, {
    good: "fine\n",
    program: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]),
    "a.pdf": "%PDF-1.4",
    "folder/x": "",
  });
  const paths = ["program", "nope", "folder", "a.pdf", "*.nothing", "nowhere/*.ts", "good"];
  const reply = await runTool(tool, { paths });
  assert.match(textOf(reply), /^==> good <==\n {5}1\tfine\n\[could not be read: /);
  const { failed } = dataOf(reply);
  assert.deepEqual(
    (failed as readonly { error: string }[]).map(({ error }) => error.replace(root, "…")),
    [
      "program is a binary file (6 bytes)",
      "nope does not exist",
      "…/folder is a folder, not a regular file",
      "a.pdf is a PDF: use read_file (8 bytes)",
      "no file matches *.nothing",
      "nowhere does not exist",
    ],
  );
});

test("each file is cut on its own, and the whole answer stays within its limit, which the engine accepts", async (context) => {
  const long = "0123456789 0123456789 0123456789\n".repeat(1000);
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index + 10}.txt`, long]));
  const { root, tool } = tree(context, { ...files, "short.txt": "short\n" });
  const engine = createEngine({ tools: [tool], workspace: [root] });
  const result = await engine.run({ id: "1", name: "read_many_files", input: { paths: ["*.txt"] } });
  assert(result.ok);
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  assert(Buffer.byteLength(text) <= 50 * 1024, String(text.length));
  assert(Buffer.byteLength(text) > 40 * 1024);
  assert.equal(result.meta.truncated, undefined);
  const shown = text.match(/^==> .* <==$/gm) ?? [];
  assert(shown.length >= 8, String(shown.length));
  assert.equal(
    (text.match(/^\[truncated: lines 1 to \d+ of 1000 shown; continue with start_line=\d+\]$/gm) ?? [])
      .length,
    shown.length,
  );
  const { left_out } = result.data as { left_out: readonly string[] };
  assert.equal(shown.length + left_out.length, 31);
  assert.match(text, /\[omitted because the answer is full; read them with another call: f\d\d\.txt/);
  await engine.close();
});

test("more files than the cap are said", async (context) => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index + 100}`, "x\n"]));
  const { tool } = tree(context, files);
  const reply = await runTool(tool, { paths: ["f*"] });
  assert.equal((textOf(reply).match(/^==> /gm) ?? []).length, 100);
  assert.match(textOf(reply), /\[only the first 100 files are read: there are more\]$/);
  assert.equal(dataOf(reply)["partial"], true);
});

test("a glob leaves out ignored and hidden files, unless it has a leading dot, and follows no link", async (context) => {
  const { root, tool } = tree(context, {
    ".gitignore": "*.log\n",
    "a.log": "",
    "a.txt": "",
    ".env": "",
    ".github/ci.yml": "",
    ".git/config": "",
  });
  symlinkSync("/etc", join(root, "etc"));
  const inside = async (path: string): Promise<readonly string[]> =>
    (await factsOf(tool, [path])).map((found) => found.slice(root.length + 1));
  assert.deepEqual(await inside("*"), ["a.txt"]);
  assert.deepEqual(await inside("**/*.log"), ["**/*.log"]);
  assert.deepEqual(await inside(".github/*.yml"), [".github/ci.yml"]);
  assert.deepEqual(await inside(".e*"), [".env"]);
  assert.deepEqual(await inside("**/config"), ["**/config"]);
  assert.deepEqual(await inside("**/passwd"), ["**/passwd"]);
});

test("every file that would be read is there for policy to see", async (context) => {
  const { root, tool } = tree(context, { "src/a.ts": "", "src/secret.ts": "", "src/c.ts": "" });
  assert.deepEqual(
    await factsOf(tool, ["src/*.ts", "nope"]),
    ["src/a.ts", "src/c.ts", "src/secret.ts", "nope"].map((path) => join(root, path)),
  );
  const engine = createEngine({
    tools: [tool],
    policy: {
      judge: ({ facts }) =>
        facts.some((fact) => fact.kind === "path" && fact.path.endsWith("secret.ts"))
          ? { kind: "deny", reason: "secrets", rule: "test" }
          : { kind: "allow", reason: "fine", rule: "test" },
    },
  });
  const run = (paths: readonly string[]): Promise<boolean> =>
    engine.run({ id: "1", name: "read_many_files", input: { paths } }).then(({ ok }) => ok);
  assert.equal(await run(["src/a.ts"]), true);
  assert.equal(await run(["src/*.ts"]), false);
  await engine.close();
});

test("a glob is expanded in the workspace and its other roots, elsewhere only its folder is named", async (context) => {
  const { root } = tree(context, { "w/a": "in", "other/b": "other", "outside/c": "out" });
  const [workspace, other] = [join(root, "w"), join(root, "other")];
  symlinkSync("../outside", join(workspace, "link"));
  const tool = readManyFiles({ root: workspace, roots: [other] });
  assert.deepEqual(await factsOf(tool, [`${other}/*`]), [join(other, "b")]);
  assert.deepEqual(await factsOf(tool, ["../other/*"]), [join(other, "b")]);
  for (const path of ["../outside/*", "link/*", `${root}/outside/**/c`]) {
    assert.deepEqual(await factsOf(tool, [path]), [join(root, "outside")], path);
  }
  const engine = createEngine({ tools: [tool], workspace: [workspace, other] });
  const result = await engine.run({ id: "1", name: "read_many_files", input: { paths: ["link/*"] } });
  assert.equal(!result.ok && result.error.code, "DENIED");
  await engine.close();
});

test("a file named like a pattern is that file", async (context) => {
  const { tool } = tree(context, { "[id].ts": "route\n", "i.ts": "other\n" });
  assert.match(textOf(await runTool(tool, { paths: ["[id].ts"] })), /^==> \[id\]\.ts <==\n {5}1\troute$/);
});

test("a file that was swapped after the check is refused, the others are read", async (context) => {
  const { root, tool } = tree(context, { a: "a\n", b: "b\n", secret: "secret\n" });
  const swap = (): void => renameSync(join(root, "secret"), join(root, "a"));
  const text = textOf(await runTool(tool, { paths: ["a", "b"] }, { beforeRun: swap }));
  assert.match(text, /==> b <==/);
  assert.match(text, /a changed between check and use/);
  assert(!text.includes("secret\n"));
});

test("an aborted call ends with its reason, and a bad glob is invalid input", async (context) => {
  const { tool } = tree(context, { a: "a" });
  const signal = AbortSignal.abort(new ToolError("CANCELLED", "enough"));
  await assert.rejects(runTool(tool, { paths: ["a"] }, { signal }), /enough/);
  const glob = { paths: ["*"] };
  await assert.rejects(async () => tool.facts?.(glob, toolContext(tool, glob, { signal })), /enough/);
  await assert.rejects(
    runTool(tool, { paths: ["src/[a", "[a"] }),
    (error) => error instanceof ToolError && error.code === "INVALID_INPUT",
  );
});

test("a file that an ordinary user may not read is named", (context) => {
  const { root } = tree(context, { open: "open\n", closed: "closed\n" });
  chmodSync(root, 0o755);
  chmodSync(join(root, "closed"), 0o000);
  const { stdout, stderr } = runScriptAsNobody(`
    const { readManyFiles } = await import(${JSON.stringify(sourceUrl("src/tools/files/read/read-many-files.ts"))});
    const { runTool, textOf } = await import(${JSON.stringify(sourceUrl("test/support/engines/tool-context.ts"))});
    const tool = readManyFiles({ root: ${JSON.stringify(root)} });
    console.log(textOf(await runTool(tool, { paths: ["closed", "open"] })));
  `);
  assert.match(
    stdout,
    /^==> open <==\n {5}1\topen\n\[could not be read: cannot read .*closed: permission denied\]/,
    stderr,
  );
});
