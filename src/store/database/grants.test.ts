import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grant } from "../../core/grant.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { createStoredGrants } from "./grants.ts";

function grantOf(scope: Grant["scope"], grantedAt: number): Grant {
  return { id: scope, scope, hash: "h", tool: "t", grantedAt };
}

test("a grant with scope always holds in its workspace only", async () => {
  const collections = createMemoryCollections();
  await createStoredGrants(collections, "/w").add(grantOf("always", Date.now()), undefined);
  assert.deepEqual(await createStoredGrants(collections, "/other").list(undefined), []);
  assert.equal((await createStoredGrants(collections, "/w").list(undefined)).length, 1);
});

test("a session grant expires after half a day", async () => {
  const collections = createMemoryCollections();
  let now = 0;
  const grants = createStoredGrants(collections, "/w", () => now);
  await grants.add(grantOf("session", 0), "s");
  await grants.add(grantOf("always", 0), "s");
  now = 11 * 3_600_000;
  assert.equal((await grants.list("s")).length, 2);
  now = 12 * 3_600_000;
  assert.deepEqual(
    (await grants.list("s")).map(({ scope }) => scope),
    ["always"],
  );
});

test("a grant under a key of an earlier version is neither listed nor found", async () => {
  const collections = createMemoryCollections();
  await collections.open("grants").set("always/%2Fw/always", grantOf("always", Date.now()) as never);
  assert.deepEqual(await createStoredGrants(collections, "/w").list(undefined), []);
});

test("an invalid stored grant allows nothing", async () => {
  const collections = createMemoryCollections();
  const grants = collections.open("grants");
  await grants.set("always/%2Fw/1", { id: "1", scope: "always" });
  await grants.set("always/%2Fw/2", "allow");
  assert.deepEqual(await createStoredGrants(collections, "/w").list(undefined), []);
});
