import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf } from "./to-updates.ts";
import { kindOf, locationsOf, titleOf } from "./tool-calls.ts";

test("a plan has no cancelled todos, which the protocol does not know", () => {
  const plan = planOf([
    { id: 1, content: "read", status: "completed", priority: "low" },
    { id: 2, content: "guess", status: "cancelled", priority: "low" },
  ]);
  assert.deepEqual(plan, {
    sessionUpdate: "plan",
    entries: [{ content: "read", status: "completed", priority: "medium" }],
  });
});

test("a call of the shell is titled by its command, any other by its name", () => {
  assert.equal(titleOf("shell", { command: "git status" }), "git status");
  assert.match(titleOf("read_file", { path: "a.ts" }), /^read_file .*a\.ts/);
  assert.equal(titleOf("list", undefined), "list");
});

for (const [name, spec, kind] of [
  ["grep", undefined, "search"],
  ["read_file", { group: "files", effects: "none" }, "read"],
  ["write_file", { group: "files", effects: "unsafe" }, "edit"],
  ["shell", { group: "running", effects: "unsafe" }, "execute"],
  ["own_tool", undefined, "other"],
] as const)
  test(`the icon of ${name} is that of the kind ${kind}`, () => {
    assert.equal(kindOf(name, spec), kind);
  });

test("a client follows the paths of a call, but not those that a command may only mention", () => {
  const path = { kind: "path", access: "read" } as const;
  const facts = [
    { ...path, path: "/w/a.ts" },
    { ...path, path: "/w/b.ts", suspected: true },
  ] as never;
  assert.deepEqual(locationsOf(facts, 7), [{ path: "/w/a.ts", line: 7 }]);
  assert.deepEqual(locationsOf(facts), [{ path: "/w/a.ts" }]);
});
