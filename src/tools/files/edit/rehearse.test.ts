import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { JsonObject } from "../../../core/json.ts";
import type { Rule } from "../../../core/rule.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createEngine } from "../../../engine/engine.ts";
import { createPolicy, type PolicyOptions } from "../../../policy/policy.ts";
import { readFile } from "../read/read-file.ts";
import { applyPatch } from "../patch/apply-patch.ts";
import { editFile } from "./edit-file.ts";
import { strReplaceEditor } from "./str-replace-editor.ts";

/** An engine of the built-in file tools in a folder with one file, and the questions of its approver. */
function open(
  t: TestContext,
  { rules = [], ...policy }: Partial<PolicyOptions> & { readonly rules?: readonly Rule[] } = {},
) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.ts"), "one\ntwo\n");
  writeFileSync(join(folder, "b.ts"), "other\n");
  writeFileSync(join(folder, ".env"), "KEY=1\n");
  const asked: string[] = [];
  const engine = createEngine({
    policy: createPolicy({
      mode: "auto",
      workspace: [folder],
      layers: [{ name: "test", rules, mayAllow: false }],
      ...policy,
    }),
    approver: {
      ask: async ({ tool }) => {
        asked.push(tool);
        return { approved: true, scope: "once" };
      },
    },
  });
  const options = { root: folder };
  for (const tool of [readFile, editFile, strReplaceEditor, applyPatch]) engine.add(tool(options));
  t.after(() => engine.close());
  const run = (name: string, input: JsonObject) => engine.run({ id: "1", name, input }, { session: "s" });
  return { folder, asked, run };
}

const PATCH = "*** Begin Patch\n*** Update File: a.ts\n@@\n-three\n+3\n*** End Patch";

for (const [name, input, error] of [
  ["edit_file", { path: "a.ts", old_string: "three", new_string: "3" }, /old_string was not found/],
  ["edit_file", { path: "a.ts", edits: [{ old_string: "three", new_string: "3" }] }, /not found/],
  ["str_replace_editor", { command: "str_replace", path: "a.ts", old_string: "three" }, /not found/],
  ["str_replace_editor", { command: "insert", path: "a.ts", insert_line: 9, new_string: "x" }, /line 9/],
  ["apply_patch", { patch: PATCH }, /not found|does not|no place/],
] as const)
  test(`${name} of a known file that cannot work is answered without a question: ${JSON.stringify(input)}`, async (t) => {
    const { folder, asked, run } = open(t);
    assert.ok((await run("read_file", { path: "a.ts" })).ok);
    const result = await run(name, input);
    assert.ok(!result.ok);
    assert.equal(result.error.code, "TOOL_FAILED");
    assert.match(result.error.message, error);
    assert.deepEqual(asked, []);
    assert.equal(readFileSync(join(folder, "a.ts"), "utf8"), "one\ntwo\n");
  });

const IMPOSSIBLE = { path: "b.ts", old_string: "three", new_string: "3" };

test("a file that the agent may read without approval need not have been read", async (t) => {
  const { folder, asked, run } = open(t);
  const missing = await run("edit_file", { ...IMPOSSIBLE, path: "none.ts" });
  assert.match(missing.ok ? "" : missing.error.message, /none\.ts/);
  for (const [name, input] of [
    ["edit_file", IMPOSSIBLE],
    ["apply_patch", { patch: PATCH.replace("a.ts", "b.ts") }],
  ] as const) {
    const result = await run(name, input);
    assert.equal(!result.ok && result.error.code, "TOOL_FAILED");
  }
  assert.deepEqual(asked, []);
  assert.equal(readFileSync(join(folder, "b.ts"), "utf8"), "other\n");
});

for (const [what, policy, path] of [
  ["reading needs approval", { mode: "ask" }, "b.ts"],
  ["has secrets", {}, ".env"],
  ["a rule asks about", { rules: [{ decision: "ask", path: "**/b.ts" }] }, "b.ts"],
  ["is outside the workspace", { border: "ask" }, "/etc/hosts"],
] as const)
  test(`of a file that ${what} and that the agent has not read, nothing is said before the approval`, async (t) => {
    const { asked, run } = open(t, policy);
    assert.ok(!(await run("edit_file", { ...IMPOSSIBLE, path })).ok);
    assert.deepEqual(asked, ["edit_file"]);
  });

test("an edit of a file that has changed since it was read is answered without a question", async (t) => {
  const { folder, asked, run } = open(t);
  assert.ok((await run("read_file", { path: "a.ts" })).ok);
  writeFileSync(join(folder, "a.ts"), "one\nthree and more\n");
  const result = await run("edit_file", { path: "a.ts", old_string: "three", new_string: "3" });
  assert.match(result.ok ? "" : result.error.message, /has changed since you last read it/);
  assert.deepEqual(asked, []);
});

test("an edit that works is asked about once, and made", async (t) => {
  const { folder, asked, run } = open(t);
  assert.ok((await run("read_file", { path: "a.ts" })).ok);
  assert.ok((await run("edit_file", { path: "a.ts", old_string: "two", new_string: "2" })).ok);
  assert.deepEqual(asked, ["edit_file"]);
  assert.equal(readFileSync(join(folder, "a.ts"), "utf8"), "one\n2\n");
});
