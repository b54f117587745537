import assert from "node:assert/strict";
import { test } from "node:test";
import { createUses } from "./uses.ts";

/** Returns true if the promise has settled by now. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol("open");
  await new Promise(setImmediate);
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

type Items = AsyncIterable<number>;

async function* items(): Items {
  yield 1;
  yield 2;
}

test("a function that returns or throws synchronously is no longer in use", async () => {
  const uses = createUses("x");
  assert.equal(
    uses.run(() => 1),
    1,
  );
  assert.throws(
    () =>
      uses.run(() => {
        throw new Error("no");
      }),
    /no/,
  );
  await uses.ended();
});

for (const [what, settle] of [
  ["fulfilled", (resolve: () => void) => resolve()],
  ["rejected", (_: () => void, reject: (error: Error) => void) => reject(new Error("no"))],
] as const) {
  test(`a promise is in use until it is ${what}`, async () => {
    const uses = createUses("x");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const running = Promise.allSettled([uses.run(() => promise)]);
    const ended = uses.ended();
    assert.equal(await hasSettled(ended), false);
    settle(resolve, reject);
    await running;
    await ended;
  });
}

for (const [what, give] of [
  ["an async iterable", () => items()],
  ["a promise of one", async () => items()],
] as readonly (readonly [string, () => Items | Promise<Items>])[]) {
  test(`${what} is in use until its last item was taken`, async () => {
    const uses = createUses("x");
    const output = await uses.run(give);
    const ended = uses.ended();
    const taken: number[] = [];
    for await (const item of output) {
      assert.equal(await hasSettled(ended), false);
      taken.push(item);
    }
    assert.deepEqual(taken, [1, 2]);
    await ended;
  });

  test(`${what} that is closed early is no longer in use, even before its first item`, async () => {
    const uses = createUses("x");
    const iterator = (await uses.run(give))[Symbol.asyncIterator]();
    await iterator.return?.();
    await uses.ended();
  });
}

test("an async iterable that fails is no longer in use", async () => {
  const uses = createUses("x");
  const output = uses.run(async function* () {
    yield 1;
    throw new Error("broken");
  });
  await assert.rejects(async () => {
    for await (const item of output) assert.equal(item, 1);
  }, /broken/);
  await uses.ended();
});

test("after its end run throws", async () => {
  const uses = createUses("gone");
  await uses.ended();
  assert.throws(() => uses.run(() => 1), { code: "UNAVAILABLE" });
});
