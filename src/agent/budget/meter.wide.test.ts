import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { describeLevel, type Budget, type SharedSpent } from "./budget.ts";
import { createBudgetMeter } from "./meter.ts";

function meterOf(budget: Budget, time: { nowMs: number } = { nowMs: 0 }) {
  return createBudgetMeter(budget, { elapsedMs: () => time.nowMs });
}

test("without a budget nothing is ever spent, and there is no warning and no last turn", () => {
  const meter = meterOf({});
  meter.spend({ turns: 1e9, tokens: 1e12, money: 1e9, calls: 1e9 });
  assert.equal(meter.spent(), undefined);
  assert.deepEqual(meter.newWarnings(), []);
  assert.equal(meter.isLastTurn(), false);
  assert.equal(meter.callsLeft(), Number.POSITIVE_INFINITY);
});

test("what others spend counts against the same tokens and money", () => {
  let others: SharedSpent = { tokens: 70, money: undefined };
  const meter = createBudgetMeter({ tokens: 10, money: 1 }, { elapsedMs: () => 0 }, () => others);
  assert.equal(meter.spent(), undefined);
  meter.spend({ tokens: 4 });
  others = { tokens: 74, money: 0.5 };
  assert.deepEqual(meter.newWarnings(), [{ kind: "tokens", used: 8, limit: 10 }]);
  others = { tokens: 75, money: 1.5 };
  assert.deepEqual(meter.spent(), { kind: "money", used: 1.5, limit: 1 });
});

for (const [kind, budget] of [
  ["turns", { turns: 10 }],
  ["tokens", { tokens: 10 }],
  ["money", { money: 10 }],
] as const) {
  test(`${kind} cause one warning at four fifths, and are spent at the limit`, () => {
    const meter = meterOf(budget);
    meter.spend({ [kind]: 7.9 });
    assert.deepEqual(meter.newWarnings(), []);
    meter.spend({ [kind]: 0.1 });
    assert.deepEqual(meter.newWarnings(), [{ kind, used: 8, limit: 10 }]);
    assert.deepEqual(meter.newWarnings(), []);
    assert.equal(meter.spent(), undefined);
    meter.spend({ [kind]: 2 });
    assert.deepEqual(meter.spent(), { kind, used: 10, limit: 10 });
    assert.deepEqual(meter.warned(), [{ kind, used: 8, limit: 10 }]);
  });
}

test("time is read from the watch, and written in seconds", () => {
  const time = { nowMs: 0 };
  const meter = meterOf({ timeMs: 2000 }, time);
  assert.equal(meter.spent(), undefined);
  time.nowMs = 1600;
  const [warning] = meter.newWarnings();
  assert.equal(warning?.kind, "time");
  assert.equal(warning === undefined ? "" : describeLevel(warning), "1.6 of 2.0 s");
  time.nowMs = 2000;
  assert.equal(meter.spent()?.kind, "time");
});

test("spent calls do not prevent a request, but no call is left", () => {
  const meter = meterOf({ calls: 3 });
  meter.spend({ calls: 2 });
  assert.deepEqual([meter.callsLeft(), meter.spentCalls()], [1, undefined]);
  meter.spend({ calls: 1 });
  assert.equal(meter.callsLeft(), 0);
  assert.deepEqual(meter.spentCalls(), { kind: "calls", used: 3, limit: 3 });
  assert.equal(meter.spent(), undefined);
});

test("the last turn is known before it starts", () => {
  const meter = meterOf({ turns: 2 });
  assert.equal(meter.isLastTurn(), false);
  meter.spend({ turns: 1 });
  assert.equal(meter.isLastTurn(), true);
});

test("whatever is spent, each kind causes at most one warning, not after it is spent", () => {
  const amounts = fc.array(fc.record({ turns: fc.nat(3), tokens: fc.nat(500), calls: fc.nat(3) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 30 }), (spent, limit) => {
      const meter = meterOf({ turns: limit, tokens: limit * 100, calls: limit });
      const warned: string[] = [];
      for (const amount of spent) {
        meter.spend(amount);
        warned.push(...meter.newWarnings().map(({ kind }) => kind));
        const over = [meter.spent(), meter.spentCalls()].flatMap((level) => level?.kind ?? []);
        for (const kind of over) assert.ok(warned.includes(kind));
      }
      assert.equal(new Set(warned).size, warned.length);
    }),
  );
});
