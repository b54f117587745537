import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import type { Ceiling } from "../../core/policy.ts";
import { createCeilingCheck } from "./check-ceilings.ts";

for (const [ceilings, message] of [
  [{ mode: "plan" }, /^ceilings: expected a list, got an object$/],
  ["plan", /^ceilings: expected a list/],
  [[{ mode: "plan" }, { denys: ["a"] }], /^ceilings\[1\]: unknown key "denys"/],
  [[{ mode: "fast" }], /^ceilings\[0\]: mode: expected one of/],
] as const)
  test(`these ceilings are refused, since they would limit nothing: ${JSON.stringify(ceilings)}`, () => {
    assert.throws(
      () => createCeilingCheck()(ceilings as unknown as readonly Ceiling[]),
      (error) => error instanceof ToolError && error.code === "INVALID_INPUT" && message.test(error.message),
    );
  });

test("valid ceilings pass, again and after others, and a wrong one is refused each time", () => {
  const check = createCeilingCheck();
  const [valid, other] = [{ mode: "plan" }, { tools: ["a*"], rules: [{ decision: "deny" }] }] as const;
  const wrong = { mode: "fast" } as unknown as Ceiling;
  check([]);
  check([valid]);
  check([valid, other]);
  for (const _ of [1, 2]) assert.throws(() => check([valid, wrong]), /ceilings\[1\]/);
});

test("a ceiling is read once: a caller passes the same one with all of its calls", () => {
  const check = createCeilingCheck();
  let reads = 0;
  const ceiling: Ceiling = {
    get mode() {
      reads += 1;
      return "plan" as const;
    },
  };
  check([ceiling]);
  const after = reads;
  check([ceiling]);
  assert.equal(reads, after);
});
