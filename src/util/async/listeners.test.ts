import assert from "node:assert/strict";
import { test } from "node:test";
import { createListeners } from "./listeners.ts";

test("listeners are called in order; one that is added during an event waits for the next, one that is removed is not called", () => {
  const { add, emit, isAny, clear } = createListeners<[number]>();
  const heard: string[] = [];
  const late = (value: number): void => void heard.push(`late ${value}`);
  add((value) => {
    heard.push(`first ${value}`);
    if (value === 1) add(late);
    removeSecond();
  });
  const removeSecond = add((value) => void heard.push(`second ${value}`));
  emit(1);
  emit(2);
  assert.deepEqual(heard, ["first 1", "first 2", "late 2"]);
  clear();
  assert.equal(isAny(), false);
});

test("the error of a listener does not keep others from being called", () => {
  const { add, emit } = createListeners<[]>();
  let calls = 0;
  add(() => {
    throw new Error("broken");
  });
  // A rejection that nothing handles would fail the test.
  add(() => Promise.reject(new Error("broken later")) as never);
  const count = (): void => void (calls += 1);
  add(count);
  add(count);
  emit();
  assert.equal(calls, 2);
});
