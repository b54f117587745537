import assert from "node:assert/strict";
import { test } from "node:test";
import { withTimeout } from "./with-timeout.ts";

const never = new Promise<never>(() => undefined);

test("work that settles in time decides the outcome", async () => {
  assert.equal(await withTimeout(Promise.resolve(1), 1000, () => 2), 1);
  await assert.rejects(
    withTimeout(Promise.reject(new Error("failed")), 1000, () => 2),
    /failed/,
  );
});

test("work that is late gives what onTimeout returns, or throws", async () => {
  assert.equal(await withTimeout(never, 1, () => 2), 2);
  const fail = (): never => {
    throw new Error("late");
  };
  await assert.rejects(withTimeout(never, 1, fail), /late/);
});

test("a timeout longer than a timer can be does not fire at once", async () => {
  const work = new Promise((resolve) => setImmediate(resolve, "done"));
  assert.equal(await withTimeout(work, Number.MAX_SAFE_INTEGER, () => "late"), "done");
});
