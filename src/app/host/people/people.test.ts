import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { openPeople } from "./people.ts";

const ALICE = { name: "alice", roles: ["caller"], groups: ["dev"] };
const NO_LIMITS = { expiresAt: null, tools: null };

function start() {
  const clock = { now: 1000 };
  const collections = createMemoryCollections();
  return { clock, collections, people: openPeople(collections, () => clock.now) };
}

test("a token finds its person until it is revoked, and no other text does", async () => {
  const { people } = start();
  await people.add(ALICE);
  const { id, text } = await people.createToken("alice", NO_LIMITS);
  assert.equal((await people.find(text))?.person.name, "alice");
  for (const wrong of ["", id, text.slice(0, -1), `${text}x`, text.replace(id, "0".repeat(16)), `x${text}`])
    assert.equal(await people.find(wrong), undefined, wrong);
  assert.equal(await people.revokeToken(id), true);
  assert.equal(await people.find(text), undefined);
  assert.equal(await people.revokeToken(id), false);
});

test("the text of a token is stored nowhere", async () => {
  const { people, collections } = start();
  await people.add(ALICE);
  const { id, text } = await people.createToken("alice", NO_LIMITS);
  const stored = JSON.stringify([
    await collections.open("people").list(),
    await collections.open("people-tokens").list(),
  ]);
  assert.ok(stored.includes(id));
  assert.ok(!stored.includes(text.slice(-43)));
});

test("a token counts until the moment it expires", async () => {
  const { people, clock } = start();
  await people.add(ALICE);
  const { text } = await people.createToken("alice", { expiresAt: 2000, tools: null });
  clock.now = 1999;
  assert.ok(await people.find(text));
  clock.now = 2000;
  assert.equal(await people.find(text), undefined);
});

test("no token of a disabled person counts, until the person is enabled", async () => {
  const { people } = start();
  await people.add(ALICE);
  const { text } = await people.createToken("alice", NO_LIMITS);
  await people.change("alice", { isDisabled: true });
  assert.equal(await people.find(text), undefined);
  await people.change("alice", { isDisabled: false });
  assert.ok(await people.find(text));
});

test("a removed person has no tokens, and nobody else gets the name", async () => {
  const { people } = start();
  await people.add(ALICE);
  const { text } = await people.createToken("alice", NO_LIMITS);
  await people.remove("alice");
  assert.equal(await people.find(text), undefined);
  assert.deepEqual([await people.list(), await people.tokens()], [[], []]);
  await assert.rejects(people.add(ALICE), /was removed/);
  await assert.rejects(people.change("alice", { isDisabled: false }), /no person is named "alice"/);
  await assert.rejects(people.createToken("alice", NO_LIMITS), /no person is named/);
});

test("a name is given once, and has no character that means something elsewhere", async () => {
  const { people } = start();
  await people.add(ALICE);
  await assert.rejects(people.add({ ...ALICE, roles: ["admin"] }), /already a person/);
  assert.deepEqual((await people.list())[0]?.roles, ["caller"]);
  for (const name of ["", "Alice", "a:b", "a/b", "../a", "a b", "-a", "a\n", "a".repeat(65), "ä", "*"])
    await assert.rejects(people.add({ ...ALICE, name }), /cannot be named/, name);
  for (const name of ["bob", "carol@example.com", "ci-1", "a".repeat(64)])
    await people.add({ ...ALICE, name });
});

test("of many who add a person or create tokens at once, each sees the result of one order", async () => {
  const { people } = start();
  const added = await Promise.allSettled(Array.from({ length: 10 }, () => people.add(ALICE)));
  assert.equal(added.filter(({ status }) => status === "fulfilled").length, 1);
  const tokens = await Promise.all(Array.from({ length: 10 }, () => people.createToken("alice", NO_LIMITS)));
  for (const { text } of tokens) assert.ok(await people.find(text));
});

test("a document that is not a person, or not a token, admits nobody", async () => {
  const { people, collections } = start();
  await people.add(ALICE);
  const { id, text } = await people.createToken("alice", NO_LIMITS);
  const stored = collections.open("people-tokens");
  const token = (await stored.get(id)) as object;
  for (const broken of [null, "x", {}, { ...token, hash: null }, { ...token, expiresAt: "never" }]) {
    await stored.set(id, broken);
    assert.equal(await people.find(text), undefined, JSON.stringify(broken));
  }
  await stored.set(id, token as never);
  assert.ok(await people.find(text));
  await collections.open("people").set("alice", { name: "alice", roles: "admin" });
  assert.equal(await people.find(text), undefined);
});
