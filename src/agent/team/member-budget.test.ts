import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING_SPENT, type Budget, type Spent } from "../budget/budget.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import { childBudget, spentWithin } from "./member-budget.ts";
import { createInbox } from "./inbox.ts";
import { advance, createMember, type Member } from "./member.ts";

/** A member of which only the budget matters. */
function member(budget: Budget, spent: Partial<Spent>, parent?: Member): Member {
  const identity = { id: "a", name: "a" };
  const inbox = createInbox(() => undefined);
  const given = { identity, session: "s", task: "", parent, isDelegated: false, ceilings: [], budget, inbox };
  const made = createMember(given);
  const agent = { spent: () => ({ ...NOTHING_SPENT, ...spent }) } as RunningAgent;
  advance(made, { type: "opened", agent });
  parent?.children.add(made);
  return made;
}

test("without any limit a child has fifty turns", () => {
  assert.deepEqual(childBudget(member({}, {})), { turns: 50 });
});

test("each limit is the lowest of the parent's rest, the team's maximum and the given one", () => {
  const parent = member({ turns: 30, calls: 10, timeMs: 1000 }, { turns: 10, calls: 4, timeMs: 400 });
  assert.deepEqual(childBudget(parent, { turns: 25, calls: 100, tokens: 7 }, 3), {
    turns: 3,
    tokens: 7,
    timeMs: 600,
    calls: 6,
  });
});

test("tokens and money are shared with all agents below, including those that have ended", () => {
  const parent = member({ tokens: 1000, money: 1 }, { tokens: 100, money: 0.25 });
  const child = member({}, { tokens: 200, money: undefined }, parent);
  member({}, { tokens: 300, money: 0.25 }, child);
  parent.spentBelow = { tokens: 50, money: 0.25 };
  assert.deepEqual(childBudget(parent, {}), { tokens: 350, money: 0.25 });
  assert.equal(spentWithin(parent).tokens, 650);
});

test("what was spent on earlier tasks does not count", () => {
  const parent = member({ turns: 20 }, { turns: 500 });
  parent.spentBefore = { ...NOTHING_SPENT, turns: 495 };
  assert.deepEqual(childBudget(parent, {}), { turns: 15 });
});

test("an agent that has spent its budget can spawn no agent", () => {
  assert.throws(() => childBudget(member({ tokens: 10 }, { tokens: 10 })), /budget \(tokens\) is spent/);
});
