import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openMemoryToolsOnDisk, openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { MAX_KEYS, MAX_VALUE_CHARACTERS } from "./memories.ts";

test("a stored value is read by every session of the workspace, and by no other workspace", async (t) => {
  const collections = createMemoryCollections();
  const here = openMemoryTools(t, { collections });
  const there = openMemoryTools(t, { collections });
  assert.deepEqual(await here.data("memory", { action: "set", key: "editor", value: "vim" }, "one"), {
    key: "editor",
    created: true,
  });
  assert.equal(await here.text("memory", { action: "get", key: "editor" }, "two"), "vim");
  assert.equal((await there.fault("memory", { action: "get", key: "editor" })).code, "TOOL_FAILED");
});

test("remember stores a category, which a later set does not change", async (t) => {
  const { data } = openMemoryTools(t);
  await data("remember", { key: "editor", value: "vim", category: "preference" });
  assert.deepEqual(await data("memory", { action: "set", key: "editor", value: "emacs" }), {
    key: "editor",
    created: false,
  });
  const { key, value, category, at } = await data("memory", { action: "get", key: "editor" });
  assert.deepEqual([key, value, category, typeof at], ["editor", "emacs", "preference", "number"]);
});

test("search finds by words of key, category and value, the best first", async (t) => {
  const { data, text } = openMemoryTools(t);
  await data("remember", { key: "deploy-script", value: "run make release" });
  await data("remember", { key: "editor", value: "the deploy uses vim", category: "preference" });
  await data("remember", { key: "lunch", value: "noodles" });
  const keys = async (value: string) =>
    ((await data("memory", { action: "search", value }))["memories"] as { key: string }[]).map(
      ({ key }) => key,
    );
  assert.deepEqual(await keys("deploy"), ["deploy-script", "editor"]);
  assert.deepEqual(await keys("preferences"), ["editor"]);
  assert.deepEqual(await keys("zebra"), []);
  assert.match(await text("memory", { action: "search", key: "noodle" }), /^"lunch" \[general, 20\d\d-/);
});

test("list shows keys with their beginnings, all or those with a prefix; get returns the whole value", async (t) => {
  const { data, text } = openMemoryTools(t);
  assert.equal(await text("memory", { action: "list" }), "[no memories]");
  const long = "word ".repeat(500);
  await data("remember", { key: "a/long", value: long });
  await data("remember", { key: "b", value: "short" });
  const listed = await text("memory", { action: "list" });
  assert.equal(listed.split("\n").length, 2);
  assert.ok(listed.length < 400 && listed.includes("…"));
  assert.match(await text("memory", { action: "list", key: "a/" }), /^"a\/long" [^\n]*$/);
  assert.equal(await text("memory", { action: "get", key: "a/long" }), long);
});

test("a deleted key is gone; an unknown key suggests similar ones", async (t) => {
  const { data, fault } = openMemoryTools(t);
  await data("remember", { key: "build-command", value: "make" });
  const near = await fault("memory", { action: "get", key: "build" });
  assert.match(near.hint ?? "", /did you mean "build-command"\?/);
  await data("memory", { action: "delete", key: "build-command" });
  assert.match((await fault("memory", { action: "delete", key: "build-command" })).message, /unknown key/);
});

for (const [input, path] of [
  [{ action: "get" }, "/key"],
  [{ action: "delete" }, "/key"],
  [{ action: "set", key: "a" }, "/value"],
  [{ action: "search" }, "/value"],
  [{ action: "set", key: "a", value: "x".repeat(MAX_VALUE_CHARACTERS + 1) }, "/value"],
  [{ action: "set", key: "", value: "x" }, "/key"],
  [{ action: "forget", key: "a" }, "/action"],
] as const) {
  test(`${JSON.stringify(input).slice(0, 60)} is INVALID_INPUT at ${path}`, async (t) => {
    const { code, details = {} } = await openMemoryTools(t).fault("memory", input);
    assert.equal(code, "INVALID_INPUT");
    assert.equal((details["problems"] as readonly { path: string }[])[0]?.path, path);
  });
}

test("no more keys are stored than the description says; replacing one is still possible", async (t) => {
  const kept = openMemoryTools(t);
  const memory = kept.collections.open("memory");
  const { root } = kept;
  for (let index = 0; index < MAX_KEYS; index += 1) {
    await memory.set(`${root.length}:${root}:key${index}`, { value: "x", category: "general", at: 0 });
  }
  const refused = await kept.fault("memory", { action: "set", key: "more", value: "x" });
  assert.match(refused.message, new RegExp(`${MAX_KEYS} keys`));
  await kept.data("memory", { action: "set", key: "key7", value: "new" });
  assert.equal(await kept.text("memory", { action: "get", key: "key7" }), "new");
  assert.ok(kept.engine.get("memory")?.description.includes(`${MAX_KEYS} keys`));
});

test("memories, notes, goals, todos and reasoning outlive the engine, in a real database", async (t) => {
  const [root, folder] = [temporaryFolder(t), join(temporaryFolder(t), "state")];
  const first = await openMemoryToolsOnDisk(t, root, folder);
  await first.data("remember", { key: "editor", value: "vim" });
  await first.data("create_note", { title: "login", content: "no rate limit" });
  await first.data("create_goal", { description: "ship it" });
  await first.data("todo_write", { todos: [{ content: "build" }] });
  await first.run("think", { thought: "first the tests" });
  await first.close();
  const second = await openMemoryToolsOnDisk(t, root, folder);
  assert.equal(await second.text("memory", { action: "get", key: "editor" }, "other"), "vim");
  assert.match(await second.text("list_notes", {}, "other"), /login[^]*no rate limit/);
  assert.equal(await second.text("todo_read"), "[ ] 1. build");
  assert.match(await second.text("read_reasoning"), /goal-\w{8}[^]*first the tests/);
  assert.match(await second.text("complete_goal", { summary: "done" }), /^Completed goal-/);
  assert.equal(await second.text("todo_read", {}, "other"), "[the list is empty]");
});

test("two engines on one database that write at the same time lose nothing", async (t) => {
  const [root, folder] = [temporaryFolder(t), join(temporaryFolder(t), "state")];
  const engines = [
    await openMemoryToolsOnDisk(t, root, folder),
    await openMemoryToolsOnDisk(t, root, folder),
  ];
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const engine = engines[index % 2];
      await engine?.data("remember", { key: `key${index}`, value: "x" });
      await engine?.data("write_todos", { action: "add", task: `task ${index}` });
    }),
  );
  const { memories } = (await engines[0]?.data("memory", { action: "list" })) ?? {};
  assert.equal((memories as readonly unknown[]).length, 40);
  const todos = ((await engines[1]?.data("todo_read")) ?? {})["todos"] as { id: number; content: string }[];
  assert.equal(new Set(todos.map(({ content }) => content)).size, 40);
  assert.equal(new Set(todos.map(({ id }) => id)).size, 40);
});
