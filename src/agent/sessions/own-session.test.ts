import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { currentProcess } from "../../system/process/identity.ts";
import { ownSession } from "./own-session.ts";

const PARENT = { ...currentProcess(), pid: process.ppid, start: null, token: "theirs" };

test("a session of another living process cannot be opened", async () => {
  const collections = createMemoryCollections();
  const owners = collections.open("session-owners");
  await owners.set("s", PARENT);
  await assert.rejects(ownSession(collections, "s"), /the session s is open in another process \(\d+\)/);
  assert.deepEqual(await owners.get("s"), PARENT);
  await (
    await ownSession(collections, "other")
  )();
});

for (const [what, left] of [
  ["of a process that has ended", { ...PARENT, start: "0", boot: "another boot" }],
  ["that nobody can read", "nonsense"],
] as const) {
  test(`an owner ${what} is none`, async () => {
    const collections = createMemoryCollections();
    const owners = collections.open("session-owners");
    await owners.set("s", left);
    const letGo = await ownSession(collections, "s");
    assert.notDeepEqual(await owners.get("s"), left);
    await letGo();
    assert.equal(await owners.get("s"), undefined);
  });
}

test("a session opened again in the same process is released only by its last opener", async () => {
  const collections = createMemoryCollections();
  const owners = collections.open("session-owners");
  const first = await ownSession(collections, "s");
  const second = await ownSession(collections, "s");
  await first();
  assert.notEqual(await owners.get("s"), undefined);
  await second();
  assert.equal(await owners.get("s"), undefined);
});
