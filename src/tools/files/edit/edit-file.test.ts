import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { dataOf, runTool, textOf } from "../../../../test/support/engines/tool-context.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import { editFile, fileMultiEdit } from "./edit-file.ts";

function editor(context: TestContext): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  return { root, tool: editFile({ root }) };
}

test("an edit changes the file and shows the difference", async (context) => {
  const { root, tool } = editor(context);
  writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\n");
  chmodSync(join(root, "a.txt"), 0o755);
  const reply = await runTool(tool, { path: "a.txt", old_string: "two", new_string: "2" });
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "one\n2\nthree\n");
  assert.equal(statSync(join(root, "a.txt")).mode & 0o777, 0o755);
  const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
  assert.deepEqual(reply.data, { path: "a.txt", replacements: 1, diff });
  assert.equal(textOf(reply), `Edited a.txt: 1 replacement\n${diff}`);
});

test("byte order mark, CRLF and a missing final newline are preserved", async (context) => {
  const { root, tool } = editor(context);
  writeFileSync(join(root, "a"), "\uFEFFone\r\ntwo\r\nthree");
  await runTool(tool, {
    path: "a",
    edits: [{ old_string: "one\ntwo", new_string: "1\n2", replace_all: false }],
  });
  assert.equal(readFileSync(join(root, "a"), "utf8"), "\uFEFF1\r\n2\r\nthree");
});

test("a failing edit changes nothing, also after others that fit", async (context) => {
  const { root, tool } = editor(context);
  const content = "one two two";
  const failing: readonly JsonObject[] = [
    { old_string: "two", new_string: "2" },
    { old_string: "three", new_string: "3" },
    {
      edits: [
        { old_string: "one", new_string: "1", replace_all: false },
        { old_string: "three", new_string: "3", replace_all: false },
      ],
    },
  ];
  for (const input of failing) {
    writeFileSync(join(root, "a"), content);
    const before = statSync(join(root, "a"));
    await assert.rejects(runTool(tool, { path: "a", ...input }), /nothing was changed/);
    assert.equal(readFileSync(join(root, "a"), "utf8"), content);
    assert.equal(statSync(join(root, "a")).ino, before.ino);
    assert.deepEqual(readdirSync(root), ["a"]);
  }
});

test("a file that is not UTF-8 is not edited", async (context) => {
  const { root, tool } = editor(context);
  const input = { path: "a", old_string: "a", new_string: "b" };
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from([0x61, 0xe9]), /not UTF-8 text, possibly Latin-1/],
    [Buffer.from("\uFEFFa", "utf16le"), /is UTF-16 text/],
    [Buffer.from([0xfe, 0xff, 0, 0x61]), /is UTF-16 text/],
    [Buffer.from([0x61, 0]), /is a binary file/],
  ];
  for (const [bytes, reason] of cases) {
    writeFileSync(join(root, "a"), bytes);
    await assert.rejects(runTool(tool, input), reason);
    assert.deepEqual(readFileSync(join(root, "a")), bytes);
  }
  truncateSync(join(root, "a"), 33 * 1024 * 1024);
  await assert.rejects(runTool(tool, input), /over 32 MB/);
});

test("a missing file and one that was swapped after the check are refused", async (context) => {
  const { root, tool } = editor(context);
  const input = { path: "a", old_string: "a", new_string: "b" };
  await assert.rejects(runTool(tool, input), /does not exist/);
  const appear = (): void => writeFileSync(join(root, "a"), "a");
  await assert.rejects(runTool(tool, input, { beforeRun: appear }), /does not exist/);
  assert.equal(readFileSync(join(root, "a"), "utf8"), "a");
});

test("an invalid combination is a problem before the call is judged", async (context) => {
  const { tool } = editor(context);
  const one = { old_string: "a", new_string: "b", replace_all: false };
  const cases: readonly (readonly [JsonObject, readonly string[]])[] = [
    [one, []],
    [{ edits: [one] }, []],
    [{}, ["/old_string", "/new_string"]],
    [{ old_string: "a" }, ["/new_string"]],
    [{ ...one, edits: [one] }, ["/edits"]],
    [{ old_string: "a", new_string: "a" }, ["/new_string"]],
    [{ edits: [one, { ...one, new_string: "a" }] }, ["/edits/1/new_string"]],
  ];
  for (const [input, expected] of cases) {
    const problems = (await tool.check?.({ path: "a", ...input }, undefined as never)) ?? [];
    assert.deepEqual(
      problems.map((problem) => problem.path),
      expected,
      JSON.stringify(input),
    );
  }
});

test("a long difference is short in the text and whole in the data", async (context) => {
  const { root, tool } = editor(context);
  writeFileSync(join(root, "a"), "x\n".repeat(500));
  const reply = await runTool(tool, { path: "a", old_string: "x", new_string: "y", replace_all: true });
  assert(textOf(reply).split("\n").length < 70);
  assert.match(textOf(reply), /more lines of the diff\]$/);
  assert.equal(dataOf(reply)["replacements"], 500);
});

test("tolerated differences are reported to the model and in the data", async (context) => {
  const { root, tool } = editor(context);
  writeFileSync(join(root, "a"), "class A {\n  go();\n  end();\n}\n");
  const reply = await runTool(tool, { path: "a", old_string: "go();\nend();", new_string: "go();\nstop();" });
  assert.equal(readFileSync(join(root, "a"), "utf8"), "class A {\n  go();\n  stop();\n}\n");
  assert.match(textOf(reply), /line 2 matched except for indentation/);
  assert.deepEqual(dataOf(reply)["tolerated"], [{ edit: 1, line: 2, tolerance: "indentation" }]);
});

test("file_multi_edit makes all of its edits in order, or none", async (context) => {
  const { root } = editor(context);
  const tool = fileMultiEdit({ root });
  writeFileSync(join(root, "a"), "one\r\ntwo");
  const edit = (old_string: string, new_string: string) => ({ old_string, new_string, replace_all: false });
  await runTool(tool, { path: "a", edits: [edit("one", "1\n"), edit("1\n\ntwo", "$&")] });
  assert.equal(readFileSync(join(root, "a"), "utf8"), "$&");
  const failing = { path: "a", edits: [edit("$&", "x"), edit("$&", "y")] };
  await assert.rejects(runTool(tool, failing), /edit 2 of 2: .*nothing was changed/);
  assert.equal(readFileSync(join(root, "a"), "utf8"), "$&");
  const problems = await tool.check?.({ path: "a", edits: [edit("a", "a")] }, undefined as never);
  assert.deepEqual(
    problems?.map(({ path }) => path),
    ["/edits/0/new_string"],
  );
});
