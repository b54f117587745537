import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { textOf } from "../../../test/support/engines/engine.ts";
import { runs } from "../../../test/support/property-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { JsonObject } from "../../core/json.ts";
import { createEngine } from "../../engine/engine.ts";
import { fileTools } from "./family.ts";

interface Place {
  readonly root: string;
  readonly run: (name: string, input: JsonObject) => Promise<string>;
}

function place(context: TestContext, names: readonly string[]): Place {
  const root = temporaryFolder(context);
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "before\nfound\nafter\n");
  }
  const trashFolder = temporaryFolder(context);
  const engine = createEngine({ workspace: [root], tools: fileTools({ root, trashFolder }), mode: "yolo" });
  context.after(() => engine.close());
  let calls = 0;
  return {
    root,
    async run(name, input) {
      const result = await engine.run({ id: String((calls += 1)), name, input }, { session: "s" });
      assert.ok(result.ok, textOf(result));
      return textOf(result);
    },
  };
}

/** Lists a file in every way, and opens, edits and deletes it by the name that is shown. */
async function listAndOpen(context: TestContext, name: string): Promise<void> {
  const { root, run } = place(context, [name]);
  const shown = await run("glob", { pattern: "**", include_hidden: true });
  assert.equal(shown.split("\n").length, 1, "one file is one line");
  assert.equal(await run("grep", { pattern: "found", path: shown }), `${shown}:2:found`);
  assert.equal((await run("read_file", { path: shown })).split("\n")[1], "     2\tfound");
  assert.match(await run("read_many_files", { paths: [shown] }), /\n {5}2\tfound\n/);
  await run("edit_file", { path: shown, old_string: "found", new_string: "edited" });
  await run("apply_patch", {
    patch: `*** Begin Patch\n*** Update File: ${shown}\n@@\n-edited\n+patched\n*** End Patch`,
  });
  assert.equal(readFileSync(join(root, name), "utf8"), "before\npatched\nafter\n");
  await run("write_file", { path: shown, content: "written" });
  assert.equal(readFileSync(join(root, name), "utf8"), "written");
  await run("delete_file", { path: shown });
  assert.equal(
    await run("ls", { recursive: true, include_hidden: true }).then((text) => text.includes("\n")),
    name.split("/").length > 2,
  );
}

for (const name of [
  "a\nb.txt",
  "a\n./b.txt",
  "esc\u001b[31m.txt",
  "d\r\n/c\u2028.txt",
  '"quoted".txt',
  '"a\\nb"',
  "می\u200cخواهم.txt",
  "a:1:b.txt",
  " blank .txt",
]) {
  test(`${JSON.stringify(name)} is listed on one line and opened by the name that is shown`, (context) =>
    listAndOpen(context, name));
}

test("any name is listed on one line and opened by the name that is shown", async (context) => {
  const character = fc.oneof(
    fc.constantFrom(
      "\n",
      "\r",
      "\t",
      '"',
      "\\",
      " ",
      "-",
      "\u001b",
      "\u0085",
      "\u200b",
      "\u2029",
      "é",
      "ب",
      "🙂",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  );
  const name = fc
    .array(character, { minLength: 1, maxLength: 12 })
    .map(
      (all) =>
        `x${all
          .join("")
          .replaceAll(/[/\0*?[{\]}!]/gu, "_")
          .replaceAll(/\s+$/gu, "_")}`,
    )
    .filter((text) => text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(name, (text) => listAndOpen(context, text)),
    { numRuns: runs(5) },
  );
});

test("a line break in a name forges no entry", async (context) => {
  const { run } = place(context, ["real.txt", "fake\nreal.txt", "d\n/x.txt"]);
  assert.equal(await run("ls", {}), '"d\\n/"\n"fake\\nreal.txt"\nreal.txt');
  assert.deepEqual((await run("glob", { pattern: "*.txt" })).split("\n").sort(), [
    '"d\\n/x.txt"',
    '"fake\\nreal.txt"',
    "real.txt",
  ]);
  const lines = ['"d\\n/x.txt"', '"fake\\nreal.txt"', "real.txt"];
  assert.equal(await run("grep", { pattern: "found" }), lines.map((name) => `${name}:2:found`).join("\n"));
  assert.equal(await run("grep", { pattern: "found", output: "files" }), lines.join("\n"));
  assert.equal(
    await run("grep", { pattern: "found", output: "count" }),
    lines.map((name) => `${name}:1`).join("\n"),
  );
  const blocks = lines.map((name) => `${name}-1-before\n${name}:2:found\n${name}-3-after\n--`);
  assert.equal(await run("grep", { pattern: "found", context_lines: 1 }), blocks.join("\n"));
});

test("data for programs has the names themselves", async (context) => {
  const { root } = place(context, ["a\nb.txt"]);
  const engine = createEngine({ workspace: [root], tools: fileTools({ root }) });
  const dataOf = async (name: string, input: JsonObject): Promise<unknown> => {
    const result = await engine.run({ id: name, name, input });
    return result.ok ? result.data : result.error;
  };
  assert.deepEqual(await dataOf("ls", {}), { entries: ["a\nb.txt"] });
  assert.deepEqual(await dataOf("glob", { pattern: "*" }), { files: ["a\nb.txt"] });
  assert.deepEqual(await dataOf("grep", { pattern: "found" }), {
    matches: [{ path: "a\nb.txt", line: 2, text: "found" }],
  });
  await engine.close();
});

for (const path of ["d/.", "d/..", "new/", ".", "d/./"]) {
  test(`no file is written at ${path}`, async (context) => {
    const root = temporaryFolder(context);
    const engine = createEngine({ workspace: [root], tools: fileTools({ root }), mode: "yolo" });
    const calls = [
      { name: "write_file", input: { path, content: "x" } },
      { name: "str_replace_editor", input: { command: "create", path, content: "x" } },
      { name: "apply_patch", input: { patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` } },
    ];
    for (const [index, call] of calls.entries()) {
      const result = await engine.run({ id: String(index), ...call });
      assert.equal(result.ok, false, call.name);
    }
    await engine.close();
    assert.throws(() => readFileSync(join(root, "d")), { code: "ENOENT" });
  });
}

const BYTE_NAMES = [Buffer.from("caf\xe9.txt", "latin1"), Buffer.from("d\xff/\xc3.txt", "latin1")];

/** Other systems refuse such names. */
const ON_LINUX = { skip: process.platform === "linux" ? false : "names are UTF-8 here" };

test(
  "names that are not UTF-8 are shown as bytes, and open that file and no other",
  ON_LINUX,
  async (context) => {
    // The last is what a lossy decoder makes of the first.
    const { root, run } = place(context, ["plain.txt", "caf\ufffd.txt"]);
    for (const name of BYTE_NAMES) {
      const path = Buffer.concat([Buffer.from(`${root}/`), name]);
      mkdirSync(path.subarray(0, path.lastIndexOf("/")), { recursive: true });
      writeFileSync(path, `found in ${name.toString("hex")}\n`);
    }
    symlinkSync(
      Buffer.concat([Buffer.from(`${root}/`), BYTE_NAMES[0] ?? Buffer.alloc(0)]),
      join(root, "link"),
    );
    const shown = ['"caf\\xe9.txt"', '"d\\xff/\\xc3.txt"'];
    const listed = await run("ls", { recursive: true });
    assert.deepEqual(listed.split("\n").sort(), [
      shown[0],
      '"d\\xff/"',
      shown[1],
      "caf\ufffd.txt",
      "link@",
      "plain.txt",
    ]);
    assert.deepEqual((await run("glob", { pattern: "*.txt" })).split("\n").sort(), [
      ...shown,
      "caf\ufffd.txt",
      "plain.txt",
    ]);
    for (const [index, path] of shown.entries()) {
      const line = `found in ${BYTE_NAMES[index]?.toString("hex")}`;
      assert.equal(await run("read_file", { path }), `     1\t${line}`);
      assert.equal(await run("grep", { pattern: "found in", path }), `${path}:1:${line}`);
      const all = await run("grep", { pattern: "found in" });
      assert.ok(all.split("\n").includes(`${path}:1:${line}`), all);
      assert.match(await run("read_many_files", { paths: [path] }), new RegExp(line));
    }
    assert.equal(await run("ls", { path: '"d\\xff"' }), '"\\xc3.txt"');
    assert.match(await run("read_file", { path: "link" }), /found in 636166e9/);
    assert.match(await run("read_file", { path: "caf\ufffd.txt" }), /before/);
  },
);

test(
  "a file whose name is not UTF-8 is not changed, and the error says what to do",
  ON_LINUX,
  async (context) => {
    const root = temporaryFolder(context);
    const engine = createEngine({ workspace: [root], tools: fileTools({ root }), mode: "yolo" });
    context.after(() => engine.close());
    const path = Buffer.concat([Buffer.from(`${root}/`), BYTE_NAMES[0] ?? Buffer.alloc(0)]);
    writeFileSync(path, "text");
    const given = '"caf\\xe9.txt"';
    const patch = `*** Begin Patch\n*** Update File: ${given}\n@@\n-text\n+other\n*** End Patch`;
    for (const [name, input] of [
      ["write_file", { path: given, content: "other" }],
      ["edit_file", { path: given, old_string: "text", new_string: "other" }],
      ["delete_file", { path: given }],
      ["apply_patch", { patch }],
    ] as const) {
      const result = await engine.run({ id: name, name, input });
      assert.ok(!result.ok);
      assert.match(result.error.message, /caf\\xe9\.txt" is not UTF-8: it can be read, not changed/, name);
      assert.equal(result.error.hint, "rename it with the shell first");
    }
    assert.equal(readFileSync(path, "utf8"), "text");
    assert.deepEqual(readdirSync(root).length, 1);
    for (const wrong of ["a\ud800", "\udcc3\udca9"]) {
      const result = await engine.run({ id: wrong, name: "read_file", input: { path: wrong } });
      assert.match(result.ok ? "" : result.error.message, /no file can have the name/);
    }
  },
);
