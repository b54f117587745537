import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createOrderedOutput } from "./ordered-output.ts";

test("values are passed on in the order of their promises, whichever settles first", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.integer(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, values, capacity) => {
        const written: number[] = [];
        let held = 0;
        let most = 0;
        const output = createOrderedOutput<number>(capacity, async (value) => {
          written.push(value);
          held -= 1;
        });
        const pushAll = async (): Promise<void> => {
          for (const value of values) {
            held += 1;
            most = Math.max(most, held);
            await output.push(scheduler.schedule(Promise.resolve(value)), 1);
          }
          await output.finish();
        };
        const done = pushAll();
        await scheduler.waitFor(done);
        assert.deepEqual(written, values);
        assert.ok(most <= capacity, `${most} were held`);
      },
    ),
  );
});
