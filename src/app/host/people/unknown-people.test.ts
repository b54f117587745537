import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { rolesOf } from "../../config/access/roles.ts";
import { openPeople } from "./people.ts";
import { unknownPeople, unknownRoles } from "./unknown-people.ts";

test("rules are warned about that name roles, groups and people whom nobody has or is", async () => {
  const rules = [
    { id: "a", decision: "allow", who: { groups: ["data", "dat"], roles: ["caller", "oprator"] } },
    { decision: "ask", approvers: { people: ["alice", "bob"], groups: ["dat"] } },
    { decision: "deny", except: { roles: ["toString"] } },
    { decision: "deny", tool: "x" },
  ] as const;
  const layers = [{ name: "user", rules, mayAllow: true }];
  const collections = createMemoryCollections();
  await openPeople(collections).add({ name: "alice", roles: ["caller"], groups: ["data"] });
  assert.deepEqual(await unknownPeople(layers, collections), [
    'rule a: no person is in the group "dat"',
    'rule user.rules[1]: no person is in the group "dat"',
    'rule user.rules[1]: no person is named "bob"',
  ]);
  const [first, second, ...others] = unknownRoles(layers, rolesOf({}));
  assert.match(first ?? "", /^rule a: unknown role "oprator"; expected viewer, caller/);
  assert.match(second ?? "", /unknown role "toString"/);
  assert.deepEqual(others, []);
});
