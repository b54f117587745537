import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grant, Grants } from "../../src/core/grant.ts";

type Make = () => Promise<{ readonly grants: Grants } & AsyncDisposable>;

function grantOf(id: string, scope: Grant["scope"]): Grant {
  const rule = { tool: "shell", command: ["git", "commit"], exact: true, decision: "allow" } as const;
  return { id, scope, hash: `hash of ${id}`, tool: "shell", grantedAt: Date.now(), rule };
}

/** The contract of every implementation of grants. */
export function grantsContract(name: string, make: Make): void {
  test(`grants ${name}: a session grant holds for that session, an "always" grant for all`, async () => {
    await using made = await make();
    const { grants } = made;
    await grants.add(grantOf("1", "session"), "a/b");
    await grants.add(grantOf("2", "session"), undefined);
    await grants.add(grantOf("3", "always"), "a/b");
    const ids = async (session: string | undefined) =>
      (await grants.list(session)).map(({ id }) => id).toSorted();
    assert.deepEqual(await ids("a/b"), ["1", "3"]);
    assert.deepEqual(await ids("a"), ["3"]);
    assert.deepEqual(await ids(undefined), ["2", "3"]);
  });

  test(`grants ${name}: a call finds the grants of its subject, session and tool, with a rule or of its hash`, async () => {
    await using made = await make();
    const { grants } = made;
    const exact = ({ id, scope, hash, tool, grantedAt }: Grant, subject?: string): Grant => {
      const grant = { id, scope, hash, tool, grantedAt };
      return subject === undefined ? grant : { ...grant, subject };
    };
    await grants.add(grantOf("rule", "always"), "s");
    await grants.add(exact(grantOf("exact", "session")), "s");
    await grants.add({ ...grantOf("ann", "always"), subject: "ann" }, "s");
    await grants.add(exact(grantOf("ann's", "session"), "ann"), "s");
    await grants.add({ ...grantOf("other", "always"), tool: "edit" }, "s");
    const found = async (hash: string, session: string, subject?: string) =>
      (await grants.find({ session, subject, tool: "shell", hash: `hash of ${hash}` }))
        .map(({ id }) => id)
        .toSorted();
    assert.deepEqual(await found("exact", "s"), ["exact", "rule"]);
    assert.deepEqual(await found("new", "s"), ["rule"]);
    assert.deepEqual(await found("exact", "t"), ["rule"]);
    assert.deepEqual(await found("ann's", "s", "ann"), ["ann", "ann's"]);
    assert.deepEqual(await found("ann's", "s", "bob"), []);
    assert.equal(await grants.revoke("rule"), true);
    assert.deepEqual(await found("new", "s"), []);
    assert.equal((await grants.list("s")).length, 4);
  });

  test(`grants ${name}: the grants of a session end with it, those of others and for always do not`, async () => {
    await using made = await make();
    const { grants } = made;
    for (const [id, session] of [
      ["1", "s"],
      ["2", "s2"],
    ] as const)
      await grants.add(grantOf(id, "session"), session);
    await grants.add({ ...grantOf("3", "session"), subject: "ann" }, "s");
    await grants.add(grantOf("4", "always"), "s");
    await grants.endSession?.("s");
    const ids = async (session: string) => (await grants.list(session)).map(({ id }) => id).toSorted();
    assert.deepEqual([await ids("s"), await ids("s2")], [["4"], ["2", "4"]]);
  });

  test(`grants ${name}: a grant is read back unchanged`, async () => {
    await using made = await make();
    const grant = grantOf("1", "always");
    await made.grants.add(grant, undefined);
    assert.deepEqual(await made.grants.list("x"), [grant]);
  });

  test(`grants ${name}: a revoked grant is removed, and only that one`, async () => {
    await using made = await make();
    const { grants } = made;
    await grants.add(grantOf("1", "session"), "s");
    await grants.add(grantOf("2", "always"), "s");
    assert.equal(await grants.revoke("1"), true);
    assert.equal(await grants.revoke("1"), false);
    assert.deepEqual(
      (await grants.list("s")).map(({ id }) => id),
      ["2"],
    );
  });
}
