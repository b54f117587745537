import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isServerName, toolNameOf } from "./names.ts";

test("any server and tool name give a stable name that every provider accepts", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (server, tool) => {
      const name = toolNameOf(server, tool);
      assert.match(name, /^[A-Za-z0-9_-]{2,64}$/);
      assert.equal(toolNameOf(server, tool), name);
    }),
  );
});

test("long names that differ at their end stay different", () => {
  const long = "x".repeat(100);
  assert.notEqual(toolNameOf("s", `${long}a`), toolNameOf("s", `${long}b`));
  assert.equal(toolNameOf("s", `${long}a`).length, 64);
  assert.equal(toolNameOf("s", "y".repeat(61)), `s__${"y".repeat(61)}`);
});

test("a server name has only plain characters", () => {
  for (const name of ["a", "git-hub", "a_b", "a.b", "9x"]) assert.ok(isServerName(name), name);
  for (const name of ["", "-a", "a b", "../a", "a/b", "a:b", "ä", "x".repeat(49), "__proto__"])
    assert.ok(!isServerName(name), name);
});
