import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND_NAMES } from "../support/damage/kinds.ts";
import { differingCut, measureDamage } from "../support/damage/measure.ts";
import { withoutSharedData } from "../support/files/shared-data.ts";
import { seed } from "../support/property-runs.ts";

test(
  "calls damaged in every way and dialect never run with other arguments, and those with one reading are recovered",
  {
    skip: withoutSharedData,
  },
  () => {
    const wrong: string[] = [];
    const cuts: string[] = [];
    let seen = 0;
    const counts = measureDamage(seed, 12, ({ damaged, outcome }) => {
      if (outcome === "wrong") wrong.push(`${damaged.kind} in ${damaged.dialect}: ${damaged.text}`);
      // Every cut of every text takes hours: one text of fifty, whatever its kind.
      if ((seen += 1) % 50 === 0 && damaged.text.length < 600 && differingCut(damaged) !== undefined)
        cuts.push(`${differingCut(damaged)} in ${damaged.text}`);
    });
    assert.deepEqual(wrong, []);
    assert.deepEqual(cuts, []);
    const sum = (key: "single" | "recovered"): number =>
      KIND_NAMES.reduce((total, kind) => total + counts[kind][key], 0);
    assert.ok(sum("recovered") >= 0.9 * sum("single"), `${sum("recovered")} of ${sum("single")} recovered`);
  },
);
