import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { createIdleWatch } from "./idle-watch.ts";

const never = new Promise<never>(() => undefined);

test("silence beyond the time ends the request with UNAVAILABLE, and tells its signal", async () => {
  const watch = createIdleWatch(new AbortController().signal, 5);
  await assert.rejects(
    watch.next(never),
    (error) => error instanceof ToolError && error.code === "UNAVAILABLE",
  );
  assert.equal(watch.signal.aborted, true);
});

test("the time that a listener takes is not the provider's silence", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const watch = createIdleWatch(new AbortController().signal, 5);
  assert.equal(await watch.next(Promise.resolve(1)), 1);
  t.mock.timers.tick(1000);
  assert.equal(await watch.next(Promise.resolve(2)), 2);
  watch.close();
});

test("a caller who cancels ends it with the caller's reason, before or while it waits", async () => {
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

test("a closed watch ends what is under way and lets its caller go", () => {
  const caller = new AbortController();
  const watch = createIdleWatch(caller.signal, 1000);
  watch.close();
  assert.equal(watch.signal.aborted, true);
  const { reason } = watch.signal as { readonly reason: unknown };
  caller.abort();
  assert.equal(watch.signal.reason, reason);
});
