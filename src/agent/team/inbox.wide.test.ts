import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { PRIORITIES, type TeamMessage } from "../../core/agent/team.ts";
import { createInbox } from "./inbox.ts";

function letter(text: string, more: Partial<TeamMessage> = {}): TeamMessage {
  const from = { id: "b", name: "B" };
  return { id: text, from, to: "a", type: "information", priority: "normal", text, at: 0, ...more };
}

function place() {
  const read: string[] = [];
  const inbox = createInbox(({ text }) => read.push(text));
  const controller = new AbortController();
  const wait = (more: { readonly timeoutMs?: number; readonly from?: readonly string[] } = {}) =>
    inbox.wait({ timeoutMs: 60_000, signal: controller.signal, ...more });
  return { inbox, read, controller, wait };
}

const texts = (messages: readonly TeamMessage[]): readonly string[] => messages.map(({ text }) => text);

test("the most urgent come first, then the oldest", () => {
  const { inbox } = place();
  inbox.put(letter("low", { priority: "low", at: 1 }));
  inbox.put(letter("later", { at: 3 }));
  inbox.put(letter("earlier", { at: 2 }));
  inbox.put(letter("urgent", { priority: "urgent", at: 4 }));
  inbox.put(letter("high", { priority: "high", at: 5 }));
  assert.deepEqual(texts(inbox.take()), ["urgent", "high", "earlier", "later", "low"]);
  assert.deepEqual(inbox.take(), []);
});

test("a reader gets a limited amount at once and the rest the next time; a message that is too long comes alone", () => {
  const { inbox } = place();
  for (let index = 0; index < 70; index += 1) inbox.put(letter(`${index}`, { at: index }));
  assert.equal(inbox.take().length, 50);
  assert.equal(inbox.take().length, 20);
  inbox.put(letter("x".repeat(70_000)));
  inbox.put(letter("after", { at: 1 }));
  assert.equal(inbox.take()[0]?.text.length, 70_000);
  assert.deepEqual(texts(inbox.take()), ["after"]);
});

test("a wait returns the waiting messages, or else the first that arrives", async () => {
  const { inbox, wait } = place();
  inbox.put(letter("there"));
  assert.deepEqual(texts(await wait()), ["there"]);
  const waiting = wait();
  inbox.put(letter("comes"));
  assert.deepEqual(texts(await waiting), ["comes"]);
  assert.equal(inbox.unread, 0);
});

test("a wait for certain senders leaves the messages of others unread", async () => {
  const { inbox, wait } = place();
  inbox.put(letter("of b"));
  const waiting = wait({ from: ["c", "d"] });
  inbox.put(letter("of e", { from: { id: "e", name: "E" } }));
  inbox.put(letter("of d", { from: { id: "d", name: "D" } }));
  assert.deepEqual(texts(await waiting), ["of d"]);
  assert.deepEqual(texts(inbox.take()), ["of b", "of e"]);
});

test("a wait that times out returns no message and leaves no timer", async () => {
  const { inbox, wait } = place();
  assert.deepEqual(await wait({ timeoutMs: 1 }), []);
  inbox.put(letter("late"));
  assert.deepEqual(texts(inbox.take()), ["late"]);
});

test("a cancelled wait rejects with the reason and takes nothing", async () => {
  const { inbox, controller, wait } = place();
  const waiting = wait();
  const reason = new Error("enough");
  controller.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(wait(), reason);
  inbox.put(letter("late"));
  assert.deepEqual(texts(inbox.take()), ["late"]);
});

test("messages of a wait whose answer never reached the model are given again", async () => {
  const { inbox, read, controller, wait } = place();
  const waiting = wait();
  inbox.put(letter("once"));
  // The call is ended after its tool was given the message, but before it is answered.
  controller.abort();
  assert.deepEqual(texts(await waiting), ["once"]);
  assert.deepEqual(texts(inbox.take()), ["once"]);
  assert.deepEqual(read, []);
  inbox.settle();
  assert.deepEqual(read, ["once"]);
});

test("a message is reported as read once, when the reader returns", async () => {
  const { inbox, read, wait } = place();
  inbox.put(letter("first"));
  inbox.take();
  assert.deepEqual(read, []);
  inbox.put(letter("second"));
  await wait();
  assert.deepEqual(read, ["first"]);
  inbox.settle();
  inbox.settle();
  assert.deepEqual(read, ["first", "second"]);
});

test("one wait can be given up with a reason while others continue", async () => {
  const { inbox, wait } = place();
  const hopeless = wait({ from: ["gone"] });
  const other = wait();
  inbox.giveUp((from) => (from === undefined ? undefined : new Error("never")));
  await assert.rejects(hopeless, /never/);
  inbox.put(letter("comes"));
  assert.deepEqual(texts(await other), ["comes"]);
});

test("released waits return no message, and a later message stays unread", async () => {
  const { inbox, wait } = place();
  const waiting = wait();
  inbox.release();
  assert.deepEqual(await waiting, []);
  inbox.put(letter("late"));
  assert.equal(inbox.unread, 1);
});

test("a closed inbox ends its waits and returns the unread messages", async () => {
  const { inbox, wait } = place();
  inbox.put(letter("of b"));
  const waiting = wait({ from: ["c"] });
  assert.deepEqual(texts(inbox.close()), ["of b"]);
  assert.deepEqual(await waiting, []);
  assert.equal(inbox.unread, 0);
});

test("whatever is put, taken, waited for and cut short in between: each message is read exactly once", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("put"), priority: fc.constantFrom(...PRIORITIES) }),
    fc.record({ kind: fc.constantFrom("take", "wait", "settle") }),
    fc.record({ kind: fc.constant("cut") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const read: string[] = [];
      const inbox = createInbox(({ text }) => read.push(text));
      const waits: { readonly controller: AbortController; readonly done: Promise<unknown> }[] = [];
      let count = 0;
      for (const one of steps) {
        if ("priority" in one) inbox.put(letter(`${count++}`, { priority: one.priority, at: count }));
        if (one.kind === "take") inbox.take();
        if (one.kind === "settle") inbox.settle();
        if (one.kind === "wait") {
          const controller = new AbortController();
          const done = inbox.wait({ timeoutMs: 60_000, signal: controller.signal }).catch(() => []);
          waits.push({ controller, done });
        }
        if (one.kind === "cut") waits.at(-1)?.controller.abort(new Error("cut"));
      }
      for (const { controller } of waits.slice(0, -1)) controller.abort(new Error("cut"));
      waits.at(-1)?.controller.abort(new Error("cut"));
      await Promise.all(waits.map(({ done }) => done));
      while (inbox.take().length > 0);
      inbox.settle();
      assert.deepEqual(
        read.toSorted((a, b) => Number(a) - Number(b)),
        Array.from({ length: count }, (_, index) => `${index}`),
      );
    }),
  );
});
