import assert from "node:assert/strict";
import { test } from "node:test";
import { patienceOf } from "./client-patience.ts";

test("a client is answered before its time limit, and before the engine denies the call", () => {
  assert.equal(patienceOf(), 45_000);
  assert.equal(patienceOf("mcporter"), 45_000);
  assert.equal(patienceOf("gemini-cli-mcp-client-toolwright"), 285_000);
  assert.equal(patienceOf("goose-cli"), 285_000);
});
