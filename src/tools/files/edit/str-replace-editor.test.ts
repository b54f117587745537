import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  dataOf,
  runTool,
  testSession,
  textOf,
  toolContext,
} from "../../../../test/support/engines/tool-context.ts";
import type { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import type { Tool } from "../../../core/tool.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import { editFile } from "./edit-file.ts";
import type { FilesOptions } from "../shared/options.ts";
import { strReplaceEditor } from "./str-replace-editor.ts";

interface Editor {
  readonly root: string;
  readonly tool: Tool;
  readonly at: (name: string) => string;
  readonly text: (name: string) => string;
  readonly run: (command: string, input?: JsonObject, between?: () => void) => Promise<Reply>;
}

function editor(context: TestContext, given: Partial<FilesOptions> = {}, session = testSession()): Editor {
  const root = given.root ?? temporaryFolder(context);
  const tool = strReplaceEditor({ ...given, root });
  const at = (name: string): string => join(root, name);
  return {
    root,
    tool,
    at,
    text: (name) => readFileSync(at(name), "utf8"),
    run: (command, input = {}, between) =>
      runTool(tool, { command, path: "a", ...input }, { session, ...(between && { beforeRun: between }) }),
  };
}

test("view shows a file with line numbers, a range of it, and a folder two levels deep", async (context) => {
  const { at, run } = editor(context);
  writeFileSync(at("a"), "one\ntwo\nthree\nfour\n");
  assert.equal(textOf(await run("view")), "     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour");
  assert.match(
    textOf(await run("view", { view_range: [2, 3] })),
    /^ {5}2\ttwo\n {5}3\tthree\n\[lines 2 to 3 of 4 shown; continue with view_range=\[4, -1\]\]$/,
  );
  assert.equal(textOf(await run("view", { view_range: [4, -1] })), "     4\tfour");
  mkdirSync(at("folder/deep/deeper"), { recursive: true });
  writeFileSync(at("folder/deep/deeper/hidden"), "");
  const listing = textOf(await run("view", { path: "folder" }));
  assert.match(listing, /deep\/deeper\//);
  assert.doesNotMatch(listing, /hidden/);
});

test("create creates a file with its folders and never replaces one", async (context) => {
  const { run, text } = editor(context);
  const reply = await run("create", { path: "new/a", content: "ü\n" });
  assert.equal(textOf(reply), "Created new/a (3 bytes)");
  await assert.rejects(run("create", { path: "new/a", content: "again" }), {
    message: /already exists/,
    hint: /str_replace/,
  });
  assert.equal(text("new/a"), "ü\n");
});

test("str_replace and insert change the file and show the difference; byte order mark and CRLF stay", async (context) => {
  const { at, run, text } = editor(context);
  writeFileSync(at("a"), "\uFEFFone\r\ntwo\r\n");
  const replaced = await run("str_replace", { old_string: "one\ntwo", new_string: "1\n2" });
  assert.match(textOf(replaced), /^Edited a.*\n--- a\/a\n/);
  assert.match(JSON.stringify(dataOf(replaced)["diff"]), /-one.*-two.*\+1.*\+2/);
  const inserted = await run("insert", { insert_line: 1, new_string: "1.5" });
  assert.match(textOf(inserted), /^Edited a \(inserted after line 1\)\n/);
  assert.equal(text("a"), "\uFEFF1\r\n1.5\r\n2\r\n");
  await run("str_replace", { old_string: "1.5\n" });
  assert.equal(text("a"), "\uFEFF1\r\n2\r\n", "a text that is left out is removed");
});

test("a failed change leaves the file unchanged and nothing to undo", async (context) => {
  const { at, run, text } = editor(context);
  writeFileSync(at("a"), "one one\n");
  await assert.rejects(run("str_replace", { old_string: "one", new_string: "1" }), /2 times/);
  await assert.rejects(run("str_replace", { old_string: "two", new_string: "2" }), /not found in the file/);
  await assert.rejects(run("insert", { insert_line: 9, new_string: "x" }), /line 9 does not exist/);
  await assert.rejects(run("insert", { path: "b", insert_line: 0, new_string: "x" }), /does not exist/);
  await assert.rejects(run("undo_edit"), /no change of a to undo/);
  assert.equal(text("a"), "one one\n");
});

test("changes are taken back one after the other, down to the file that was not there", async (context) => {
  const { root, run, text } = editor(context);
  await run("create", { content: "one\n" });
  await run("str_replace", { old_string: "one", new_string: "two" });
  await run("insert", { insert_line: 1, new_string: "three" });
  const first = await run("undo_edit");
  assert.match(
    textOf(first),
    /^Undid the last edit of a \(2 more changes can be undone\)\n.*\n.*\n.*\n two\n-three\n/s,
  );
  assert.equal(text("a"), "two\n");
  await run("undo_edit");
  assert.equal(text("a"), "one\n");
  await run("undo_edit");
  assert.deepEqual(readdirSync(root), []);
  await assert.rejects(run("undo_edit"), /no change of a to undo/);
});

test("an undo never loses a change by other hands, nor one by another tool", async (context) => {
  const { at, run, text, root } = editor(context);
  await run("create", { content: "one" });
  await run("str_replace", { old_string: "one", new_string: "two" });
  writeFileSync(at("a"), "theirs");
  await assert.rejects(run("undo_edit"), { message: /changed since its last edit; nothing was undone/ });
  assert.equal(text("a"), "theirs");
  writeFileSync(at("a"), "two");
  await runTool(editFile({ root }), { path: "a", old_string: "two", new_string: "three" });
  await assert.rejects(run("undo_edit"), /changed since/);
  rmSync(at("a"));
  await assert.rejects(run("undo_edit"), /changed since/);
  writeFileSync(at("a"), "two");
  await run("undo_edit");
  assert.equal(text("a"), "one", "and once it is as the edit left it, it can be taken back");
});

test("an undo of a file that changes between the judging and the write is refused", async (context) => {
  const { at, run, text } = editor(context);
  await run("create", { content: "one" });
  await assert.rejects(
    run("undo_edit", {}, () => writeFileSync(at("a"), "theirs")),
    ToolError,
  );
  assert.equal(text("a"), "theirs");
});

test("a file that changed since it was viewed is not edited", async (context) => {
  const { at, run, text } = editor(context);
  writeFileSync(at("a"), "one");
  await run("view");
  writeFileSync(at("a"), "one more");
  for (const work of [
    () => run("str_replace", { old_string: "one", new_string: "1" }),
    () => run("insert", { insert_line: 0, new_string: "x" }),
  ]) {
    await assert.rejects(work, /has changed since you last read it/);
  }
  assert.equal(text("a"), "one more");
});

test("an edit that other hands took back is passed over, and the one before it undone", async (context) => {
  const { at, run } = editor(context);
  await run("create", { content: "one" });
  await run("str_replace", { old_string: "one", new_string: "two" });
  writeFileSync(at("a"), "one");
  await run("undo_edit");
  assert.ok(!existsSync(at("a")));
});

test("an edit of one process is undone in the next, in the same session and no other", async (context) => {
  const root = temporaryFolder(context);
  const collections = createMemoryCollections();
  const open = (id: string): Editor => editor(context, { root, collections }, testSession(id));
  await open("mine").run("create", { content: "one" });
  await open("mine").run("str_replace", { old_string: "one", new_string: "two" });
  await assert.rejects(open("other").run("undo_edit"), /no change of a/);
  await open("mine").run("undo_edit");
  assert.equal(open("mine").text("a"), "one");
});

test("the promised number of steps is stored, and a file that is too large says so", async (context) => {
  const { run, text, at } = editor(context);
  await run("create", { content: "0" });
  for (let count = 1; count <= 25; count += 1) {
    await run("str_replace", { old_string: `${count - 1}`, new_string: `${count}` });
  }
  for (let count = 24; count >= 5; count -= 1) {
    await run("undo_edit");
    assert.equal(text("a"), `${count}`);
  }
  await assert.rejects(run("undo_edit"), /no change/);
  writeFileSync(at("big"), `first\n${"x".repeat(2_000_000)}`);
  const reply = await run("str_replace", { path: "big", old_string: "first", new_string: "second" });
  assert.match(textOf(reply), /too large for this to be undone/);
  await assert.rejects(run("undo_edit", { path: "big" }), /no change/);
});

test("a write that fails leaves file and history as they were", async (context) => {
  const { root, run, text } = editor(context);
  await run("create", { content: "one" });
  const operations = {
    ...createFileOperations(),
    write: () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
  };
  const session = testSession("failing");
  const failing = editor(context, { root, operations }, session);
  await assert.rejects(failing.run("str_replace", { old_string: "one", new_string: "two" }), /disk is full/);
  assert.equal(text("a"), "one");
  await assert.rejects(editor(context, { root }, session).run("undo_edit"), /no change/);
});

test("a change whose undo step cannot be stored is not written", async (context) => {
  const root = temporaryFolder(context);
  const collections = createMemoryCollections();
  await collections.close();
  const { at, run, text } = editor(context, { root, collections });
  writeFileSync(at("a"), "one");
  await assert.rejects(run("str_replace", { old_string: "one", new_string: "two" }), { code: "UNAVAILABLE" });
  await assert.rejects(run("create", { path: "b", content: "" }), { code: "UNAVAILABLE" });
  assert.deepEqual([text("a"), readdirSync(root)], ["one", ["a"]]);
});

test("only viewing is of low risk, and only viewing reads", async (context) => {
  const { tool } = editor(context);
  for (const command of ["view", "create", "str_replace", "insert", "undo_edit"]) {
    const isView = command === "view";
    assert.equal(tool.riskOf?.({ command, path: "a" }, toolContext(tool, {})), isView ? "low" : "medium");
    const [fact] = (await tool.facts?.({ command, path: "a" }, toolContext(tool, {}))) ?? [];
    assert.equal(fact?.kind === "path" && fact.access, isView ? "read" : "write");
  }
});

test("an invalid combination is a problem before the call is judged", async (context) => {
  const { tool } = editor(context);
  const cases: readonly (readonly [JsonObject, readonly string[]])[] = [
    [{ command: "view" }, []],
    [{ command: "view", view_range: [3, 3] }, []],
    [{ command: "view", view_range: [3, -1] }, []],
    [{ command: "view", view_range: [3, 2] }, ["/view_range"]],
    [{ command: "view", view_range: [0, 2] }, ["/view_range"]],
    [{ command: "create" }, ["/content"]],
    [{ command: "str_replace" }, ["/old_string"]],
    [{ command: "str_replace", old_string: "a" }, []],
    [{ command: "str_replace", old_string: "a", new_string: "a" }, ["/new_string"]],
    [{ command: "insert" }, ["/insert_line", "/new_string"]],
    [{ command: "insert", insert_line: 0, new_string: "" }, []],
    [{ command: "undo_edit" }, []],
  ];
  for (const [input, expected] of cases) {
    const problems = (await tool.check?.({ path: "a", ...input }, toolContext(tool, {}))) ?? [];
    assert.deepEqual(
      problems.map(({ path }) => path),
      expected,
      JSON.stringify(input),
    );
  }
});
