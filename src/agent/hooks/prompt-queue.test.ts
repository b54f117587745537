import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openStore } from "../../store/open-store.ts";
import { openPromptQueue, type PromptQueue } from "./prompt-queue.ts";

async function openQueue(t: TestContext, folder: string): Promise<PromptQueue> {
  const store = await openStore({ folder });
  t.after(() => store.close());
  return openPromptQueue(store.collections);
}

test("prompts are taken once, oldest first, also after a restart", async (t) => {
  const folder = temporaryFolder(t);
  const queue = await openQueue(t, folder);
  assert.equal(await queue.add({ hook: "b", text: "first", session: "s", file: "/w/x" }), true);
  assert.equal(await queue.add({ hook: "a", text: "second", session: "s", file: "/w/x" }), true);
  const other = await openQueue(t, folder);
  const taken = await other.take("s");
  assert.deepEqual(taken.map(({ text }) => text).toSorted(), ["first", "second"]);
  assert.ok((taken[0]?.queuedAt ?? 0) <= (taken[1]?.queuedAt ?? 0));
  assert.deepEqual(await queue.take("s"), []);
});

test("only one prompt of a hook waits for a file, until it is taken", async (t) => {
  const queue = await openQueue(t, temporaryFolder(t));
  const prompt = { hook: "review", text: "Review it", session: "s", file: "/w/a" };
  assert.equal(await queue.add(prompt), true);
  assert.equal(await queue.add(prompt), false);
  assert.equal(await queue.add({ ...prompt, file: "/w/b" }), true);
  assert.equal(await queue.add({ ...prompt, hook: "other" }), true);
  assert.equal((await queue.take("s")).length, 3);
  assert.equal(await queue.add(prompt), true);
});

test("a session takes its own prompts and those without a session, never another's", async (t) => {
  const queue = await openQueue(t, temporaryFolder(t));
  for (const session of ["s", "s2", 's","x']) await queue.add({ hook: "h", text: session, session });
  await queue.add({ hook: "h", text: "nobody's" });
  assert.deepEqual((await queue.take("s")).map(({ text }) => text).toSorted(), ["nobody's", "s"]);
  assert.deepEqual(
    (await queue.take("s2")).map(({ text }) => text),
    ["s2"],
  );
  assert.deepEqual(
    (await queue.take('s","x')).map(({ text }) => text),
    ['s","x'],
  );
});

test("with two concurrent takers each prompt goes to one", async (t) => {
  const folder = temporaryFolder(t);
  const queues = await Promise.all([1, 2].map(() => openQueue(t, folder)));
  for (let file = 0; file < 20; file += 1)
    await queues[0]?.add({ hook: "h", text: "x", session: "s", file: `${file}` });
  const taken = (await Promise.all(queues.map((queue) => queue.take("s")))).flat();
  assert.equal(new Set(taken.map(({ id }) => id)).size, 20);
  assert.equal(taken.length, 20);
});
