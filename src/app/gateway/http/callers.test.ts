import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { untilTrue } from "../../../../test/support/running.ts";
import { rolesOf } from "../../config/access/roles.ts";
import { openPeople } from "../../host/people/people.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { createCallers } from "./callers.ts";

const TOKENS = { read: "r".repeat(32), call: "c".repeat(32), approve: "a".repeat(32), admin: "o".repeat(32) };

async function start(t: TestContext) {
  const clock = { now: 0 };
  const people = openPeople(createMemoryCollections(), () => clock.now);
  await people.add({ name: "alice", roles: ["caller"], groups: [] });
  const roles = rolesOf({ operator: ["read", "call"] });
  const callers = createCallers({ tokens: TOKENS, people: { people, roles }, checkMs: 1 });
  t.after(() => callers.close());
  const byToken = async (text: string) => {
    const found = await callers.byToken(text);
    return found !== undefined && "status" in found ? undefined : found;
  };
  const create = async (limits = {}) =>
    people.createToken("alice", { expiresAt: null, tools: null, ...limits });
  return { people, callers, byToken, create, clock };
}

test("a person has the rights of their roles together, and the limits of the token", async (t) => {
  const { people, byToken, create } = await start(t);
  const { text } = await create({ tools: ["read_*"] });
  const caller = (await byToken(text))?.caller;
  assert.deepEqual(caller?.rights, ["own", "call"]);
  assert.deepEqual(
    [caller?.subject, caller?.ceilings],
    [{ id: "alice", groups: [], roles: ["caller"] }, [{ tools: ["read_*"] }]],
  );
  await people.change("alice", { roles: ["operator", "approver", "gone"] });
  assert.deepEqual((await byToken(text))?.caller.rights, ["read", "call", "approve"]);
  await people.change("alice", { roles: ["toString", "gone"] });
  assert.deepEqual((await byToken(text))?.caller.rights, []);
});

test("a cookie counts as its token in a server of the same tokens, and under its own name only", async (t) => {
  const { people, callers, byToken, create } = await start(t);
  const { text, id } = await create();
  const found = await byToken(text);
  const value = found?.cookie?.("c-1") ?? "";
  assert.ok(!value.includes(text.slice(-43)));
  assert.equal((await callers.byCookie("c-1", value))?.caller.subject?.id, "alice");
  assert.equal(await callers.byCookie("c-2", value), undefined);
  assert.equal(await callers.byCookie("c-1", `${id}.${"x".repeat(43)}`), undefined);
  assert.equal(await byToken(value), undefined);
  const admin = (await byToken(TOKENS.admin))?.cookie?.("c-1") ?? "";
  assert.equal((await callers.byCookie("c-1", admin))?.caller.name, "the admin token");
  await people.revokeToken(id);
  assert.equal(await callers.byCookie("c-1", value), undefined);
});

for (const [what, change] of [
  ["the token is revoked", ({ people }, id) => people.revokeToken(id)],
  ["the person is disabled", ({ people }) => people.change("alice", { isDisabled: true })],
  ["the person is removed", ({ people }) => people.remove("alice")],
  ["the roles change", ({ people }) => people.change("alice", { roles: ["viewer"] })],
] as readonly (readonly [
  string,
  (started: Pick<Awaited<ReturnType<typeof start>>, "people">, id: string) => Promise<unknown>,
])[])
  test(`what a caller has open ends when ${what}, and that of others does not`, async (t) => {
    const started = await start(t);
    const { byToken, create, people } = started;
    await people.add({ name: "bob", roles: ["caller"], groups: [] });
    const bob = await people.createToken("bob", { expiresAt: null, tools: null });
    const { id, text } = await create();
    const ended = (await byToken(text))?.caller.ended;
    const other = (await byToken(bob.text))?.caller.ended;
    assert.equal(ended?.aborted, false);
    await change(started, id);
    await untilTrue("the caller has ended", () => ended.aborted);
    assert.equal(other?.aborted, false);
  });

test("a token that expires ends what is open", async (t) => {
  const { byToken, create, clock } = await start(t);
  const { text } = await create({ expiresAt: 60 });
  const ended = (await byToken(text))?.caller.ended;
  assert.equal(ended?.aborted, false);
  clock.now = 60;
  await untilTrue("the caller has ended", () => ended.aborted);
  assert.equal(await byToken(text), undefined);
});
