import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { limitConcurrency } from "./limit-concurrency.ts";

test("work that runs alone overlaps with nothing, the limit holds, and work starts in call order", async () => {
  const kinds = fc.array(fc.constantFrom("together" as const, "alone" as const), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), kinds, fc.integer({ min: 1, max: 4 }), async (scheduler, all, limit) => {
      const limited = limitConcurrency(limit);
      const begun: number[] = [];
      const running = new Map<number, "together" | "alone">();
      const work = (index: number, kind: "together" | "alone") => async (): Promise<number> => {
        begun.push(index);
        running.set(index, kind);
        assert.ok(running.size <= limit);
        assert.ok(running.size === 1 || ![...running.values()].includes("alone"));
        await scheduler.schedule(Promise.resolve());
        running.delete(index);
        return index;
      };
      const done = Promise.all(all.map((kind, index) => limited.run(kind, work(index, kind))));
      const values = await scheduler.waitFor(done);
      assert.deepEqual(
        values,
        all.map((_, index) => index),
      );
      assert.deepEqual(begun, values);
    }),
  );
});

test("work that may run together does", async () => {
  const limited = limitConcurrency(2);
  const { promise: bothRun, resolve: meet } = Promise.withResolvers<void>();
  const first = limited.run("together", () => bothRun);
  await limited.run("together", async () => meet());
  await first;
});
