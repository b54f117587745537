import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { TeamMessage } from "../../core/agent/team.ts";
import { openUnreadMessages } from "./unread-messages.ts";

const message = (id: string): TeamMessage => ({
  id,
  from: { id: "b", name: "B", parentId: "c" },
  to: "a",
  type: "query",
  priority: "high",
  text: "Where?",
  at: 7,
});

test("a stored message is loaded unchanged, for its session only, until it is removed", async () => {
  const collections = createMemoryCollections();
  const kept = openUnreadMessages(collections);
  await Promise.all(["1", "2"].map((id) => kept.add("a", message(id))));
  await kept.add("a:1", message("3"));
  assert.deepEqual(await openUnreadMessages(collections).load("a"), [message("1"), message("2")]);
  await kept.remove("a", message("1"));
  assert.deepEqual(await kept.load("a"), [message("2")]);
  assert.deepEqual(await kept.load("b"), []);
});

test("a message removed right after it was added is gone", async () => {
  const kept = openUnreadMessages(createMemoryCollections());
  void kept.add("a", message("1"));
  void kept.remove("a", message("1"));
  await kept.flush();
  assert.deepEqual(await kept.load("a"), []);
});

test("a store failure rejects the add and does not block later writes", async () => {
  const collections = createMemoryCollections();
  const kept = openUnreadMessages(collections);
  await collections.close();
  await assert.rejects(kept.add("a", message("1")), /closed/);
  await assert.rejects(kept.add("a", message("2")), /closed/);
  await kept.flush();
});

test("a document that is not a message is skipped, and without collections nothing is stored", async () => {
  const collections = createMemoryCollections();
  await collections.open("team-messages").set("1:a:x", { text: 5 });
  await collections
    .open("team-messages")
    .set("1:a:y", { ...message("y"), priority: "none", from: { id: "b" } });
  assert.deepEqual(await openUnreadMessages(collections).load("a"), []);
  const none = openUnreadMessages(undefined);
  await none.add("a", message("1"));
  await none.remove("a", message("1"));
  await none.flush();
  assert.deepEqual(await none.load("a"), []);
});
