import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { createIdleWatch } from "./adapt.ts";

const never = new Promise<never>(() => undefined);

test("a timeout ends the request with UNAVAILABLE and aborts its signal", async () => {
  const watch = createIdleWatch(new AbortController().signal, 5);
  await assert.rejects(
    watch.next(never),
    (error) => error instanceof ToolError && error.code === "UNAVAILABLE",
  );
  assert.equal(watch.signal.aborted, true);
});

test("the time between two reads does not count", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const watch = createIdleWatch(new AbortController().signal, 5);
  assert.equal(await watch.next(Promise.resolve(1)), 1);
  t.mock.timers.tick(1000);
  assert.equal(await watch.next(Promise.resolve(2)), 2);
  watch.close();
});

test("an abort by the caller ends the request with the caller's reason, before and during a wait", async () => {
  const reason = new Error("enough");
  const caller = new AbortController();
  const watch = createIdleWatch(caller.signal, 1000);
  const waiting = watch.next(never);
  caller.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(watch.next(Promise.resolve("late")), reason);
  await assert.rejects(watch.next(Promise.reject(new Error("late"))), reason);
  await assert.rejects(createIdleWatch(AbortSignal.abort(reason), 1000).next(never), reason);
});

test("closing aborts the request and removes the listener on the caller", () => {
  const caller = new AbortController();
  const watch = createIdleWatch(caller.signal, 1000);
  watch.close();
  assert.equal(watch.signal.aborted, true);
  const { reason } = watch.signal as { readonly reason: unknown };
  caller.abort();
  assert.equal(watch.signal.reason, reason);
});
