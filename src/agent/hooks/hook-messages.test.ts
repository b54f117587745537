import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { openPromptQueue, hookMessages } from "./prompt-queue.ts";
import { createHookGuard } from "../runtime/agent-runtime.ts";
import { userMessage } from "../runtime/messages.ts";

test("prompts of hooks become messages, once, oldest first", async () => {
  const queue = openPromptQueue(createMemoryCollections());
  await queue.add({ hook: "review", text: "Review it.", session: "s", file: "/w/a" });
  await queue.add({ hook: "greet", text: "Say hello." });
  await queue.add({ hook: "other", text: "Not yours.", session: "t" });
  const incoming = hookMessages(queue, "s");
  assert.deepEqual(await incoming(), [
    userMessage("[hook review about /w/a]\nReview it.", {
      kind: "hook",
      id: '["review","/w/a"]',
      name: "review",
    }),
    userMessage("[hook greet]\nSay hello.", { kind: "hook", id: '["greet"]', name: "greet" }),
  ]);
  assert.deepEqual(await incoming(), []);
});

const from = (hook: string, file: string) =>
  userMessage(".", { kind: "hook", id: JSON.stringify([hook, file]), name: hook });

test("a second prompt of a hook for the same file is dropped; one for another file is not", () => {
  const guard = createHookGuard();
  assert.equal(guard.refuses(from("review", "/a")), undefined);
  assert.equal(guard.refuses(from("review", "/b")), undefined);
  assert.equal(guard.refuses(from("other", "/a")), undefined);
  assert.deepEqual(guard.refused(), []);
  assert.equal(guard.refuses(from("review", "/a")), "itself");
  assert.deepEqual(guard.refused(), ["review"]);
});

test("hooks can send ten messages in a task, people any number", () => {
  const guard = createHookGuard();
  for (let file = 0; file < 10; file += 1) assert.equal(guard.refuses(from("review", `${file}`)), undefined);
  assert.equal(guard.refuses(from("review", "10")), "many");
  for (let count = 0; count < 20; count += 1) assert.equal(guard.refuses(userMessage("hello")), undefined);
});
