import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { openStore } from "../../../store/open-store.ts";
import { loadTrust, type TrustItem } from "./trust.ts";

const hook: TrustItem = { kind: "hook", name: "lint", hash: "a".repeat(64), detail: "runs lint" };

test("an item is trusted as it is, off again when it changes, and after it is taken back", async () => {
  const trust = await loadTrust(createMemoryCollections(), "/w");
  assert.equal(trust.stateOf(hook), "new");
  await trust.trust(hook);
  assert.equal(trust.stateOf(hook), "trusted");
  assert.equal(trust.isTrusted("hook", "lint", hook.hash), true);
  const changed = { ...hook, hash: "b".repeat(64) };
  assert.equal(trust.stateOf(changed), "changed");
  assert.equal(trust.isTrusted("hook", "lint", changed.hash), false);
  assert.equal(await trust.revoke(hook), true);
  assert.equal(await trust.revoke(hook), false);
  assert.equal(trust.stateOf(hook), "new");
});

test("trust in one item is no trust in another kind, name or folder", async () => {
  const collections = createMemoryCollections();
  await (await loadTrust(collections, "/w")).trust(hook);
  const trust = await loadTrust(collections, "/w");
  assert.equal(trust.stateOf(hook), "trusted");
  assert.equal(trust.isTrusted("tool", "lint", hook.hash), false);
  assert.equal(trust.isTrusted("hook", "lint2", hook.hash), false);
  for (const folder of ["/", "/w2", "/w/deep", '/w","hook', "/W"]) {
    assert.equal((await loadTrust(collections, folder)).stateOf(hook), "new", folder);
  }
});

test("trust is kept in the store", async (t) => {
  const folder = temporaryFolder(t);
  const first = await openStore({ folder });
  await (await loadTrust(first.collections, "/w")).trust(hook);
  await first.close();
  const second = await openStore({ folder });
  t.after(() => second.close());
  const trust = await loadTrust(second.collections, "/w");
  assert.equal(trust.stateOf(hook), "trusted");
  const [record] = trust.list();
  assert.equal(record?.name, "lint");
  assert.ok((record?.trustedAt ?? 0) > Date.now() - 60_000);
});

test("a rule is trusted whatever it is called and in whatever order its keys stand, a server only by its name", async () => {
  const trust = await loadTrust(createMemoryCollections(), "/w");
  const content = { decision: "allow", tool: "shell" };
  for (const kind of ["rule", "mcp_server"] as const) {
    await trust.trust({ kind, name: "one", hash: hashOf(content), detail: "" });
  }
  const same = { tool: "shell", decision: "allow" };
  assert.equal(trust.isTrustedContent("rule", "2", same), true);
  assert.equal(trust.isTrustedContent("rule", "one", { ...same, tool: "*" }), false);
  assert.equal(trust.isTrustedContent("mcp_server", "one", same), true);
  assert.equal(trust.isTrustedContent("mcp_server", "2", same), false);
  assert.equal(trust.isTrustedContent("setting", "one", same), false);
});

test("an item whose content cannot be told is never trusted", async () => {
  const trust = await loadTrust(createMemoryCollections(), "/w");
  await assert.rejects(trust.trust({ ...hook, hash: "" }), /hook:lint cannot be trusted/);
  assert.equal(trust.isTrusted("hook", "lint", ""), false);
});

test("a document that is no record of trust is none", async () => {
  const collections = createMemoryCollections();
  await collections.open("trust").set('["/w","hook","lint"]', { kind: "hook" });
  assert.deepEqual((await loadTrust(collections, "/w")).list(), []);
});
