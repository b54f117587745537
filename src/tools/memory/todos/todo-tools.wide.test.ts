import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { MAX_TODOS, todosOf } from "./todos.ts";
import { runs } from "../../../../test/support/property-runs.ts";

test("the list that is written is the list that is read, by todo_read, write_todos and the host program", async (t) => {
  const { text, collections } = openMemoryTools(t);
  const todos = [
    { content: "build", status: "completed" },
    { content: "test", status: "in_progress", priority: "high" },
    { content: "ship" },
    { content: "boast", status: "cancelled" },
  ];
  const shown = "[x] 1. build\n[>] 2. test (high)\n[ ] 3. ship\n[-] 4. boast";
  assert.equal(await text("todo_write", { todos }), shown);
  assert.equal(await text("todo_read"), shown);
  assert.equal(await text("write_todos", { action: "list" }), shown);
  assert.deepEqual(
    (await todosOf(collections, "s")).map(({ content, status, priority }) => [content, status, priority]),
    [
      ["build", "completed", "medium"],
      ["test", "in_progress", "high"],
      ["ship", "pending", "medium"],
      ["boast", "cancelled", "medium"],
    ],
  );
  assert.deepEqual(await todosOf(collections, "another session"), []);
});

test("the whole list is replaced; remaining tasks keep their numbers, and no number is reused", async (t) => {
  const { text } = openMemoryTools(t);
  await text("todo_write", { todos: [{ content: "a" }, { content: "b" }, { content: "b" }] });
  assert.equal(
    await text("todo_write", { todos: [{ content: "c" }, { content: "b", status: "completed" }] }),
    "[ ] 4. c\n[x] 2. b",
  );
  assert.equal(await text("todo_write", { todos: [] }), "[the list is empty]");
  assert.equal(await text("write_todos", { action: "add", task: "d" }), "[ ] 5. d");
});

test("two in progress, a status or priority that there is not, and too many are refused, and the list stays", async (t) => {
  const { text, fault } = openMemoryTools(t);
  await text("todo_write", { todos: [{ content: "a" }] });
  const running = { content: "b", status: "in_progress" };
  const refused = await fault("todo_write", { todos: [running, { content: "c" }, running] });
  assert.equal(refused.code, "INVALID_INPUT");
  assert.match(refused.message, /todos\/2\/status[^]*todo 0 is already in_progress/);
  for (const todos of [
    [{ content: "a", status: "doing" }],
    [{ content: "a", priority: "urgent" }],
    [{ content: "" }],
    [{ status: "pending" }],
    Array.from({ length: MAX_TODOS + 1 }, () => ({ content: "x" })),
  ]) {
    assert.equal((await fault("todo_write", { todos })).code, "INVALID_INPUT");
  }
  assert.equal(await text("todo_read"), "[ ] 1. a");
});

test("one by one: added, completed and removed by number or by exact text", async (t) => {
  const { text, fault } = openMemoryTools(t);
  await text("write_todos", { action: "add", task: "build" });
  await text("write_todos", { action: "add", task: "test" });
  assert.equal(await text("write_todos", { action: "complete", id: 1 }), "[x] 1. build\n[ ] 2. test");
  assert.equal(await text("write_todos", { action: "complete", task: "test" }), "[x] 1. build\n[x] 2. test");
  assert.equal(await text("write_todos", { action: "remove", id: "1" }), "[x] 2. test");
  const unknown = await fault("write_todos", { action: "complete", id: 1 });
  assert.match(`${unknown.message} ${unknown.hint}`, /number 1 is not on the list.*its numbers are 2/);
  assert.match((await fault("write_todos", { action: "remove", task: "tset" })).message, /"tset" is not/);
  assert.equal((await fault("write_todos", { action: "add" })).code, "INVALID_INPUT");
  assert.equal((await fault("write_todos", { action: "complete" })).code, "INVALID_INPUT");
});

test("a full list takes no more", async (t) => {
  const { text, fault } = openMemoryTools(t);
  await text("todo_write", {
    todos: Array.from({ length: MAX_TODOS }, (_, index) => ({ content: `t${index}` })),
  });
  assert.match(
    (await fault("write_todos", { action: "add", task: "more" })).message,
    /already has 100 tasks/,
  );
});

test("calls that change the list at the same time lose nothing", async (t) => {
  const { run, collections } = openMemoryTools(t);
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => run("write_todos", { action: "add", task: `task ${index}` })),
  );
  const todos = await todosOf(collections, "s");
  assert.equal(new Set(todos.map(({ id }) => id)).size, 50);
});

test("whatever lists are written one after the other, numbers are never shared and content keeps its number", async (t) => {
  const lists = fc.array(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 6 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(lists, async (written) => {
      const { run, collections } = openMemoryTools(t);
      const owners = new Map<number, string>();
      for (const contents of written) {
        await run("todo_write", { todos: contents.map((content) => ({ content })) });
        const todos = await todosOf(collections, "s");
        assert.deepEqual(
          todos.map(({ content }) => content),
          contents,
        );
        assert.equal(new Set(todos.map(({ id }) => id)).size, todos.length);
        for (const { id, content } of todos) {
          assert.equal(owners.get(id) ?? content, content);
          owners.set(id, content);
        }
      }
    }),
    { numRuns: runs(30) },
  );
});
