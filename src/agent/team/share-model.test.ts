import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "../../../test/support/agents/team.ts";
import { fakeModel } from "../../../test/support/models/fake-model.ts";
import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";
import { Slots } from "../../util/async/slots.ts";
import { shareModel } from "./share-model.ts";

function ask(model: Model, signal = new AbortController().signal): Promise<number> {
  const asking = async (): Promise<number> => {
    let parts = 0;
    for await (const _ of model.stream({ instructions: "", messages: [], tools: [], signal })) parts += 1;
    return parts;
  };
  return asking();
}

test("a limited number of requests run at a time, in order, and all get their answer", async () => {
  const slots = new Slots(2);
  const gates = [gate(), gate(), gate(), gate()];
  const began: number[] = [];
  const models = gates.map(({ opened }, index) =>
    shareModel(
      fakeModel(async () => {
        began.push(index);
        await opened;
        return { text: "yes" };
      }),
      slots,
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

test("a request cancelled while it waits never starts, and the next one gets the slot", async () => {
  const slots = new Slots(1);
  const first = gate();
  const busy = ask(
    shareModel(
      fakeModel(async () => (await first.opened, { text: "yes" })),
      slots,
    ),
  );
  const controller = new AbortController();
  const waiting = fakeModel(() => ({ text: "no" }));
  const cancelled = ask(shareModel(waiting, slots), controller.signal);
  const next = ask(
    shareModel(
      fakeModel(() => ({ text: "yes" })),
      slots,
    ),
  );
  controller.abort();
  await assert.rejects(cancelled, (error) => error instanceof ToolError && error.code === "CANCELLED");
  first.open();
  assert.deepEqual(await Promise.all([busy, next]), [2, 2]);
  assert.equal(waiting.requests.length, 0);
  await assert.rejects(ask(shareModel(waiting, slots), controller.signal), /cancelled/);
});

test("a model that fails, or is not read to its end, frees its slot", async () => {
  const slots = new Slots(1);
  const failing = fakeModel(() => {
    throw new Error("broken");
  });
  await assert.rejects(ask(shareModel(failing, slots)), /broken/);
  const { signal } = new AbortController();
  const told = shareModel(
    fakeModel(() => ({ text: "yes" })),
    slots,
  );
  for await (const _ of told.stream({ instructions: "", messages: [], tools: [], signal })) break;
  assert.equal(await ask(told), 2);
});

test("a model that ignores cancellation frees its slot, once", async () => {
  const slots = new Slots(1);
  const controller = new AbortController();
  const [begun, late, first] = [gate(), gate(), gate()];
  const uncancellable = shareModel(
    fakeModel(async () => {
      begun.open();
      await late.opened;
      return { text: "too late" };
    }),
    slots,
  );
  const cancelled = ask(uncancellable, controller.signal);
  await begun.opened;
  controller.abort();
  const began: number[] = [];
  const next = [0, 1].map((index) =>
    ask(
      shareModel(
        fakeModel(async () => {
          began.push(index);
          await first.opened;
          return { text: "yes" };
        }),
        slots,
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

test("the shared model has the same properties as the original", () => {
  const model = fakeModel(() => ({}), { window: 5, price: { input: 1, output: 2 } });
  const { id, format, window, price } = shareModel(model, new Slots(1));
  assert.deepEqual(
    { id, format, window, price },
    { id: model.id, format: model.format, window: 5, price: { input: 1, output: 2 } },
  );
});
