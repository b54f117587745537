import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import type { TeamMessage } from "../../../core/agent/team.ts";
import { keptMessages } from "./kept-messages.ts";

const message = (id: string): TeamMessage => ({
  id,
  from: { id: "b", name: "B", parentId: "c" },
  to: "a",
  type: "query",
  priority: "high",
  text: "Where?",
  at: 7,
});

test("what is kept comes back as it was, for its session only, until it is removed", async () => {
  const collections = createMemoryCollections();
  const kept = keptMessages(collections);
  await Promise.all(["1", "2"].map((id) => kept.add("a", message(id))));
  await kept.add("a:1", message("3"));
  assert.deepEqual(await keptMessages(collections).load("a"), [message("1"), message("2")]);
  await kept.remove("a", message("1"));
  assert.deepEqual(await kept.load("a"), [message("2")]);
  assert.deepEqual(await kept.load("b"), []);
});

test("a message that is removed right after it was added is gone", async () => {
  const kept = keptMessages(createMemoryCollections());
  void kept.add("a", message("1"));
  void kept.remove("a", message("1"));
  await kept.flush();
  assert.deepEqual(await kept.load("a"), []);
});

test("a store that fails is told to whoever adds, and holds up nothing after it", async () => {
  const collections = createMemoryCollections();
  const kept = keptMessages(collections);
  await collections.close();
  await assert.rejects(kept.add("a", message("1")), /closed/);
  await assert.rejects(kept.add("a", message("2")), /closed/);
  await kept.flush();
});

test("what is no message is left out, and without collections nothing is kept", async () => {
  const collections = createMemoryCollections();
  await collections.open("team-messages").set("1:a:x", { text: 5 });
  await collections
    .open("team-messages")
    .set("1:a:y", { ...message("y"), priority: "none", from: { id: "b" } });
  assert.deepEqual(await keptMessages(collections).load("a"), []);
  const none = keptMessages(undefined);
  await none.add("a", message("1"));
  await none.remove("a", message("1"));
  await none.flush();
  assert.deepEqual(await none.load("a"), []);
});
