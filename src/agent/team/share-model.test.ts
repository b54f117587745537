import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "../../../test/support/team.ts";
import { toldModel } from "../../../test/support/told-model.ts";
import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";
import { createPlaces, shareModel } from "./share-model.ts";

function ask(model: Model, signal = new AbortController().signal): Promise<number> {
  const asking = async (): Promise<number> => {
    let parts = 0;
    for await (const _ of model.stream({ instructions: "", messages: [], tools: [], signal })) parts += 1;
    return parts;
  };
  return asking();
}

test("only so many talk at a time, in the order in which they came, and all get their answer", async () => {
  const places = createPlaces(2);
  const gates = [gate(), gate(), gate(), gate()];
  const began: number[] = [];
  const models = gates.map(({ opened }, index) =>
    shareModel(
      toldModel(async () => {
        began.push(index);
        await opened;
        return { text: "yes" };
      }),
      places,
    ),
  );
  const asked = models.map((model) => ask(model));
  await new Promise(setImmediate);
  assert.deepEqual(began, [0, 1]);
  gates[1]?.open();
  await asked[1];
  await new Promise(setImmediate);
  assert.deepEqual(began, [0, 1, 2]);
  for (const one of gates) one.open();
  assert.deepEqual(await Promise.all(asked), [2, 2, 2, 2]);
  assert.deepEqual(began, [0, 1, 2, 3]);
});

test("a request that is cancelled while it waits never begins, and the next one takes its turn", async () => {
  const places = createPlaces(1);
  const first = gate();
  const busy = ask(
    shareModel(
      toldModel(async () => (await first.opened, { text: "yes" })),
      places,
    ),
  );
  const controller = new AbortController();
  const waiting = toldModel(() => ({ text: "no" }));
  const cancelled = ask(shareModel(waiting, places), controller.signal);
  const next = ask(
    shareModel(
      toldModel(() => ({ text: "yes" })),
      places,
    ),
  );
  controller.abort();
  await assert.rejects(cancelled, (error) => error instanceof ToolError && error.code === "CANCELLED");
  first.open();
  assert.deepEqual(await Promise.all([busy, next]), [2, 2]);
  assert.equal(waiting.requests.length, 0);
  await assert.rejects(ask(shareModel(waiting, places), controller.signal), /cancelled/);
});

test("a model that fails, or is not listened to until its end, leaves its place", async () => {
  const places = createPlaces(1);
  const failing = toldModel(() => {
    throw new Error("broken");
  });
  await assert.rejects(ask(shareModel(failing, places)), /broken/);
  const { signal } = new AbortController();
  const told = shareModel(
    toldModel(() => ({ text: "yes" })),
    places,
  );
  for await (const _ of told.stream({ instructions: "", messages: [], tools: [], signal })) break;
  assert.equal(await ask(told), 2);
});

test("a model that does not hear that its request is cancelled leaves its place, once", async () => {
  const places = createPlaces(1);
  const controller = new AbortController();
  const [begun, late, first] = [gate(), gate(), gate()];
  const deaf = shareModel(
    toldModel(async () => {
      begun.open();
      await late.opened;
      return { text: "too late" };
    }),
    places,
  );
  const cancelled = ask(deaf, controller.signal);
  await begun.opened;
  controller.abort();
  const began: number[] = [];
  const next = [0, 1].map((index) =>
    ask(
      shareModel(
        toldModel(async () => {
          began.push(index);
          await first.opened;
          return { text: "yes" };
        }),
        places,
      ),
    ),
  );
  await new Promise(setImmediate);
  assert.deepEqual(began, [0]);
  late.open();
  await assert.rejects(cancelled);
  await new Promise(setImmediate);
  assert.deepEqual(began, [0]);
  first.open();
  assert.deepEqual(await Promise.all(next), [2, 2]);
});

test("the shared model is the same to whoever looks at it", () => {
  const model = toldModel(() => ({}), { window: 5, price: { input: 1, output: 2 } });
  const { id, format, window, price } = shareModel(model, createPlaces(1));
  assert.deepEqual(
    { id, format, window, price },
    { id: model.id, format: model.format, window: 5, price: { input: 1, output: 2 } },
  );
});
