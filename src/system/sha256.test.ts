import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
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
