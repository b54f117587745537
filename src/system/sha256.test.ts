import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { randomId } from "./crypto.ts";
import { sha256 } from "./sha256.ts";

test("texts of every length around the size of a block have the hash that node:crypto has", () => {
  for (const text of [
    "",
    "abc",
    "/home/jörg/日本 🙂",
    ...Array.from({ length: 200 }, (_, length) => "x".repeat(length)),
  ])
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"));
});

test("random ids are UUIDs of version 4, and all different", () => {
  const ids = Array.from({ length: 50 }, randomId);
  assert.equal(new Set(ids).size, 50);
  for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
