import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ToolCall } from "../../core/call.ts";
import type { ToolResult } from "../../core/result.ts";
import { createLoopGuard, findCycle } from "./loop-guard.ts";
import { runs } from "../../../test/support/property-runs.ts";

let count = 0;

function step(name: string, input: unknown, answer: string): readonly [ToolCall, ToolResult] {
  count += 1;
  const id = `call-${count}`;
  const meta = { startedAt: count, durationMs: count, place: "host", attempts: 1, source: "test" } as const;
  return [
    { id, name, input },
    { callId: id, name, ok: true, content: [{ type: "text", text: answer }], meta },
  ];
}

/** The number of the step at which each suspicion came. */
function suspectedAt(steps: readonly (readonly [string, unknown, string])[]): readonly number[] {
  const guard = createLoopGuard();
  return steps.flatMap(([name, input, answer], index) => {
    const [call, result] = step(name, input, answer);
    return guard.check([call], [result]) === undefined ? [] : [index + 1];
  });
}

test("the same call with the same answer is suspicious the third time, whatever the order of its keys", () => {
  const same = [
    ["read", { path: "a", line: 1 }, "x"],
    ["read", { line: 1, path: "a" }, "x"],
    ["read", { path: "a", line: 1 }, "x"],
  ] as const;
  assert.deepEqual(suspectedAt(same), [3]);
});

test("a call that polls is not suspicious while its answer changes", () => {
  const polls = Array.from({ length: 50 }, (_, index) => ["status", { id: 1 }, `${index} %`] as const);
  assert.deepEqual(suspectedAt(polls), []);
});

test("the same tool with different inputs is not suspicious, even with the same answer", () => {
  const reads = Array.from({ length: 50 }, (_, index) => ["read", { path: `${index}` }, ""] as const);
  assert.deepEqual(suspectedAt(reads), []);
});

test("equal calls of one turn count once", () => {
  const guard = createLoopGuard();
  const steps = [step("a", {}, "1"), step("a", {}, "1"), step("a", {}, "1")];
  const check = () =>
    guard.check(
      steps.map(([call]) => call),
      steps.map(([, result]) => result),
    );
  assert.deepEqual([check(), check()], [undefined, undefined]);
  assert.deepEqual(check(), {
    description: "a was called 3 times in a row with the same input and the same answer",
    repeats: 3,
  });
});

test("a cycle is described by the names of its calls", () => {
  const guard = createLoopGuard();
  const seen = ["a", "b", "a", "b", "a", "b"].map((name) => {
    const [call, result] = step(name, {}, "same");
    return guard.check([call], [result]);
  });
  assert.match(seen.at(-1)?.description ?? "", /the same 2 calls \(a, b\) were made 3 times in a row/);
});

test("a guard with a higher limit reports only at that limit", () => {
  const guard = createLoopGuard();
  guard.allowRepeats(6);
  const seen = Array.from({ length: 7 }, () => {
    const [call, result] = step("a", {}, "same");
    return guard.check([call], [result])?.repeats;
  });
  assert.deepEqual(seen, [undefined, undefined, undefined, undefined, undefined, 6, 7]);
});

const keys = fc.array(fc.integer({ min: 0, max: 3 }).map(String), { maxLength: 30 });
/** A round that is no circle in itself. */
const round = fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 5 });

test("any cycle of up to five calls is found at its third repetition, not before", () => {
  fc.assert(
    fc.property(keys, round, (before, once) => {
      const marked = [...before.map((key) => `before ${key}`), "a border", ...once, ...once, ...once];
      assert.deepEqual(findCycle(marked), { length: once.length, repeats: 3 });
      assert.equal(findCycle(marked.slice(0, -1)), undefined);
    }),
  );
});

test("calls that never repeat a third time are not a cycle", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 40 }), (unique) => {
      const twice = unique.flatMap((key) => [key, key]);
      for (let end = 0; end <= twice.length; end += 1)
        assert.equal(findCycle(twice.slice(0, end)), undefined);
    }),
  );
});

test("a cycle that is found exists: its last repetitions are equal", () => {
  fc.assert(
    fc.property(keys, (row) => {
      const found = findCycle(row);
      if (found === undefined) return;
      const { length, repeats } = found;
      assert.ok(length <= 5 && repeats >= 3 && length * repeats <= row.length);
      const last = row.slice(-length);
      for (let back = 1; back <= repeats; back += 1)
        assert.deepEqual(row.slice(row.length - back * length, row.length - (back - 1) * length), last);
    }),
    { numRuns: runs(500) },
  );
});
