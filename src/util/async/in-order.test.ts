import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createInOrder } from "./in-order.ts";

test("values are handed on in the order of their promises, whichever settles first", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.integer(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, values, room) => {
        const handed: number[] = [];
        let held = 0;
        let most = 0;
        const order = createInOrder<number>(room, async (value) => {
          handed.push(value);
          held -= 1;
        });
        const pushAll = async (): Promise<void> => {
          for (const value of values) {
            held += 1;
            most = Math.max(most, held);
            await order.push(scheduler.schedule(Promise.resolve(value)), 1);
          }
          await order.finish();
        };
        const done = pushAll();
        await scheduler.waitFor(done);
        assert.deepEqual(handed, values);
        assert.ok(most <= room, `${most} were held`);
      },
    ),
  );
});
