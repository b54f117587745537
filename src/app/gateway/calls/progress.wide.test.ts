import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Progress } from "../../../core/context.ts";
import type { McpProgress } from "../types/gateway-types.ts";
import { createProgressReporter, createReports } from "./reports.ts";

function sentFor(all: readonly Progress[]): readonly McpProgress[] {
  const sent: McpProgress[] = [];
  const reporter = createProgressReporter((one) => sent.push(one));
  for (const one of all) reporter.report(one);
  reporter.flush();
  return sent;
}

test("the number only grows, whatever a tool reports", () => {
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
      const numbers = sentFor(all).map((one) => one.progress);
      assert.ok(numbers.every(Number.isFinite));
      assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)));
    }),
  );
});

test("the numbers of a tool are sent as they are", () => {
  const sent = sentFor([
    { done: 0, total: 100 },
    { done: 50, total: 100, message: "half" },
    { done: 100, total: 100 },
  ]);
  assert.deepEqual(sent, [
    { progress: 0, total: 100 },
    { progress: 50, total: 100, message: "half" },
    { progress: 100, total: 100 },
  ]);
});

test("a flood of progress is throttled, and the last text is sent", () => {
  const sent = sentFor(Array.from({ length: 100_000 }, (_, index) => `line ${index}`));
  assert.ok(sent.length < 100, `${sent.length} were sent`);
  assert.equal(sent.at(-1)?.message, "line 99999");
});

test("only the end of a long text is sent", () => {
  const [sent] = sentFor([{ stream: "stdout", text: `${"x".repeat(100_000)}end` }]);
  assert.ok((sent?.message?.length ?? 0) < 3000);
  assert.ok(sent?.message?.endsWith("end"));
});

test("a call that waits for approval reports progress at once and every ten seconds", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const sent: McpProgress[] = [];
  const { wait } = createReports({
    progress: (one) => sent.push(one),
    log: () => assert.fail("nothing is logged"),
    level: { current: "debug" },
  });
  const stop = wait("waiting for approval");
  t.mock.timers.tick(60_000);
  stop();
  t.mock.timers.tick(60_000);
  assert.equal(sent.length, 7);
  assert.ok(
    sent.every(({ progress, message }, index) => progress >= index && message === "waiting for approval"),
  );
});
