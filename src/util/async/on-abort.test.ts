import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import { onAbort } from "./on-abort.ts";

test("listeners of a signal are called once, in their order; removed ones and those added after the abort are not", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const listen = (name: string) => onAbort(controller.signal, () => void called.push(name));
  listen("a");
  const stop = listen("b");
  listen("c");
  stop();
  stop();
  controller.abort();
  controller.abort();
  listen("d");
  assert.deepEqual(called, ["a", "c"]);
});

test("a listener that removes another during the abort does not stop the others", () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => stop());
  const stop = onAbort(controller.signal, () => void called.push("b"));
  onAbort(controller.signal, () => void called.push("c"));
  controller.abort();
  assert.ok(called.includes("c"));
});

test("any number of listeners are one of the signal's own, which is removed a while after the last", async (t) => {
  const time = createVirtualTime(t);
  const { signal } = new AbortController();
  const count = (): number => getEventListeners(signal, "abort").length;
  const stops = Array.from({ length: 100 }, () => onAbort(signal, () => undefined));
  assert.equal(count(), 1);
  for (const stop of stops) stop();
  assert.equal(count(), 1);
  const again = onAbort(signal, () => undefined);
  await time.pass(1000);
  assert.equal(count(), 1, "it is used again");
  again();
  await time.pass(1000);
  assert.equal(count(), 0);
});
