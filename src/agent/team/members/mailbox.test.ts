import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { TeamMessage } from "../../../core/agent/team.ts";
import { PRIORITIES } from "../../../core/agent/team.ts";
import { createMailbox } from "./mailbox.ts";

function letter(text: string, more: Partial<TeamMessage> = {}): TeamMessage {
  const from = { id: "b", name: "B" };
  return { id: text, from, to: "a", type: "information", priority: "normal", text, at: 0, ...more };
}

function place() {
  const read: string[] = [];
  const mailbox = createMailbox(({ text }) => read.push(text));
  const controller = new AbortController();
  const wait = (more: { readonly timeoutMs?: number; readonly from?: readonly string[] } = {}) =>
    mailbox.wait({ timeoutMs: 60_000, signal: controller.signal, ...more });
  return { mailbox, read, controller, wait };
}

const texts = (messages: readonly TeamMessage[]): readonly string[] => messages.map(({ text }) => text);

test("the most urgent come first, then the oldest", () => {
  const { mailbox } = place();
  mailbox.put(letter("low", { priority: "low", at: 1 }));
  mailbox.put(letter("later", { at: 3 }));
  mailbox.put(letter("earlier", { at: 2 }));
  mailbox.put(letter("urgent", { priority: "urgent", at: 4 }));
  mailbox.put(letter("high", { priority: "high", at: 5 }));
  assert.deepEqual(texts(mailbox.take()), ["urgent", "high", "earlier", "later", "low"]);
  assert.deepEqual(mailbox.take(), []);
});

test("a reader gets no more than it has room for, and the rest the next time; one that is too long comes alone", () => {
  const { mailbox } = place();
  for (let index = 0; index < 70; index += 1) mailbox.put(letter(`${index}`, { at: index }));
  assert.equal(mailbox.take().length, 50);
  assert.equal(mailbox.take().length, 20);
  mailbox.put(letter("x".repeat(70_000)));
  mailbox.put(letter("after", { at: 1 }));
  assert.equal(mailbox.take()[0]?.text.length, 70_000);
  assert.deepEqual(texts(mailbox.take()), ["after"]);
});

test("whoever waits is given what is there, else what comes first", async () => {
  const { mailbox, wait } = place();
  mailbox.put(letter("there"));
  assert.deepEqual(texts(await wait()), ["there"]);
  const waiting = wait();
  mailbox.put(letter("comes"));
  assert.deepEqual(texts(await waiting), ["comes"]);
  assert.equal(mailbox.unread, 0);
});

test("whoever waits for somebody leaves the others' messages where they are", async () => {
  const { mailbox, wait } = place();
  mailbox.put(letter("of b"));
  const waiting = wait({ from: ["c", "d"] });
  mailbox.put(letter("of e", { from: { id: "e", name: "E" } }));
  mailbox.put(letter("of d", { from: { id: "d", name: "D" } }));
  assert.deepEqual(texts(await waiting), ["of d"]);
  assert.deepEqual(texts(mailbox.take()), ["of b", "of e"]);
});

test("a wait ends empty when its time is over, and leaves no timer", async () => {
  const { mailbox, wait } = place();
  assert.deepEqual(await wait({ timeoutMs: 1 }), []);
  mailbox.put(letter("late"));
  assert.deepEqual(texts(mailbox.take()), ["late"]);
});

test("a wait that is cancelled ends with its reason and takes nothing", async () => {
  const { mailbox, controller, wait } = place();
  const waiting = wait();
  const reason = new Error("enough");
  controller.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(wait(), reason);
  mailbox.put(letter("late"));
  assert.deepEqual(texts(mailbox.take()), ["late"]);
});

test("what a wait was given whose answer never reached the model is given again", async () => {
  const { mailbox, read, controller, wait } = place();
  const waiting = wait();
  mailbox.put(letter("once"));
  // The call is ended after its tool was given the message, but before it is answered.
  controller.abort();
  assert.deepEqual(texts(await waiting), ["once"]);
  assert.deepEqual(texts(mailbox.take()), ["once"]);
  assert.deepEqual(read, []);
  mailbox.settle();
  assert.deepEqual(read, ["once"]);
});

test("what was read is told once, when the reader comes again", async () => {
  const { mailbox, read, wait } = place();
  mailbox.put(letter("first"));
  mailbox.take();
  assert.deepEqual(read, []);
  mailbox.put(letter("second"));
  await wait();
  assert.deepEqual(read, ["first"]);
  mailbox.settle();
  mailbox.settle();
  assert.deepEqual(read, ["first", "second"]);
});

test("a wait can be given up, with the reason, and others go on", async () => {
  const { mailbox, wait } = place();
  const hopeless = wait({ from: ["gone"] });
  const other = wait();
  mailbox.giveUp((from) => (from === undefined ? undefined : new Error("never")));
  await assert.rejects(hopeless, /never/);
  mailbox.put(letter("comes"));
  assert.deepEqual(texts(await other), ["comes"]);
});

test("waits that are released end empty, and what comes then waits", async () => {
  const { mailbox, wait } = place();
  const waiting = wait();
  mailbox.release();
  assert.deepEqual(await waiting, []);
  mailbox.put(letter("late"));
  assert.equal(mailbox.unread, 1);
});

test("a mailbox that is closed ends its waits and gives back what nobody has read", async () => {
  const { mailbox, wait } = place();
  mailbox.put(letter("of b"));
  const waiting = wait({ from: ["c"] });
  assert.deepEqual(texts(mailbox.close()), ["of b"]);
  assert.deepEqual(await waiting, []);
  assert.equal(mailbox.unread, 0);
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
      const mailbox = createMailbox(({ text }) => read.push(text));
      const waits: { readonly controller: AbortController; readonly done: Promise<unknown> }[] = [];
      let count = 0;
      for (const one of steps) {
        if ("priority" in one) mailbox.put(letter(`${count++}`, { priority: one.priority, at: count }));
        if (one.kind === "take") mailbox.take();
        if (one.kind === "settle") mailbox.settle();
        if (one.kind === "wait") {
          const controller = new AbortController();
          const done = mailbox.wait({ timeoutMs: 60_000, signal: controller.signal }).catch(() => []);
          waits.push({ controller, done });
        }
        if (one.kind === "cut") waits.at(-1)?.controller.abort(new Error("cut"));
      }
      for (const { controller } of waits.slice(0, -1)) controller.abort(new Error("cut"));
      waits.at(-1)?.controller.abort(new Error("cut"));
      await Promise.all(waits.map(({ done }) => done));
      while (mailbox.take().length > 0);
      mailbox.settle();
      assert.deepEqual(
        read.toSorted((a, b) => Number(a) - Number(b)),
        Array.from({ length: count }, (_, index) => `${index}`),
      );
    }),
  );
});
