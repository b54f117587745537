import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFault } from "./describe-fault.ts";

test("a call that a person declined has their words, another failure its code", () => {
  const message = "The user declined this call: not today. Nothing was run.";
  const denied = { code: "DENIED", message } as const;
  assert.equal(describeFault({ ...denied, details: { declined: "not today" } }), "declined: not today");
  assert.equal(describeFault({ ...denied, details: { declined: "" } }), "declined");
  assert.equal(describeFault({ ...denied, details: { rule: "r" } }), `DENIED: ${message}`);
  const failed = { code: "TOOL_FAILED", message: "first\nsecond", details: { declined: "no" } } as const;
  assert.equal(describeFault(failed, "first"), "TOOL_FAILED: first");
});

test("a cancelled call says so once, with the reason", () => {
  const cancelled = (message: string): string => describeFault({ code: "CANCELLED", message });
  assert.equal(cancelled("the call was cancelled: by the user"), "cancelled: by the user");
  assert.equal(cancelled("the call was cancelled"), "cancelled");
  assert.equal(cancelled("the engine was closed"), "CANCELLED: the engine was closed");
});
