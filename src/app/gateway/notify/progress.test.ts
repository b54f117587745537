import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Progress } from "../../../core/context.ts";
import type { ToldProgress } from "./progress.ts";
import { createProgressTeller } from "./progress.ts";

function toldOf(all: readonly Progress[]): readonly ToldProgress[] {
  const told: ToldProgress[] = [];
  const teller = createProgressTeller((one) => told.push(one));
  for (const one of all) teller.tell(one);
  teller.end();
  return told;
}

test("the number only ever grows, whatever a tool tells", () => {
  const progress = fc.oneof(
    fc.string(),
    fc.record({ stream: fc.constant("stdout" as const), text: fc.string() }),
    fc.record(
      { done: fc.double(), total: fc.double({ noNaN: true }), message: fc.string() },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(fc.array(progress, { maxLength: 60 }), (all) => {
      const numbers = toldOf(all).map((one) => one.progress);
      assert.ok(numbers.every(Number.isFinite));
      assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)));
    }),
  );
});

test("what a tool counts is told as it counts", () => {
  const told = toldOf([
    { done: 0, total: 100 },
    { done: 50, total: 100, message: "half" },
    { done: 100, total: 100 },
  ]);
  assert.deepEqual(told, [
    { progress: 0, total: 100 },
    { progress: 50, total: 100, message: "half" },
    { progress: 100, total: 100 },
  ]);
});

test("a tool that tells without end is told of now and then, and at last with its last word", () => {
  const told = toldOf(Array.from({ length: 100_000 }, (_, index) => `line ${index}`));
  assert.ok(told.length < 100, `${told.length} were sent`);
  assert.equal(told.at(-1)?.message, "line 99999");
});

test("of a long text the end is told", () => {
  const [told] = toldOf([{ stream: "stdout", text: `${"x".repeat(100_000)}end` }]);
  assert.ok((told?.message?.length ?? 0) < 3000);
  assert.ok(told?.message?.endsWith("end"));
});
