import assert from "node:assert/strict";
import { test } from "node:test";
import { randomId } from "./crypto.ts";

test("random ids are UUIDs of version 4, and all different", () => {
  const ids = Array.from({ length: 50 }, randomId);
  assert.equal(new Set(ids).size, 50);
  for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
