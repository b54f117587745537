import assert from "node:assert/strict";
import { test } from "node:test";
import { createInbox } from "./inbox.ts";
import { advance, createMember, type Member } from "./member.ts";
import { NOTHING_SPENT } from "../budget/budget.ts";
import { createRoster } from "./team-state.ts";

function member(id: string, parent?: Member): Member {
  const inbox = createInbox(() => undefined);
  const given = { session: "", task: "", parent, isDelegated: false, ceilings: [], budget: {}, inbox };
  return createMember({ identity: { id, name: `name of ${id}` }, ...given });
}

test("only the last ended members are remembered, and all living ones", () => {
  const roster = createRoster();
  const root = member("root");
  roster.add(root);
  const living = Array.from({ length: 300 }, (_, index) => member(`living-${index}`, root));
  for (const one of living) roster.add(one);
  for (let index = 0; index < 205; index += 1) {
    const one = member(`ended-${index}`, root);
    roster.add(one);
    advance(one, {
      type: "ended",
      end: { state: "done", text: "", outcome: undefined, spent: NOTHING_SPENT },
    });
    roster.retire(one);
  }
  assert.equal(roster.living().length, 301);
  assert.equal(roster.all().length, 501);
  assert.equal(roster.get("ended-4"), undefined);
  assert.ok(roster.get("ended-5") !== undefined && roster.get("living-0") !== undefined);
  assert.equal(root.children.size, 300);
});

test("a dropped member leaves no trace", () => {
  const roster = createRoster();
  const root = member("root");
  const child = member("child", root);
  for (const one of [root, child]) roster.add(one);
  roster.drop(child);
  assert.deepEqual([roster.all(), roster.living(), root.children.size], [[root], [root], 0]);
  assert.throws(() => roster.find("child"), /no agent/);
});
