import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  scoreCvss,
  BASE_METRICS,
  ENVIRONMENTAL_METRICS,
  TEMPORAL_METRICS,
  valuesOf,
  parseCvssVector,
  toCvssVector,
  type Metrics,
} from "./cvss.ts";
import { runs } from "../../../test/support/property-runs.ts";

function score(vector: string) {
  const parsed = parseCvssVector(vector);
  assert.ok("metrics" in parsed, JSON.stringify(parsed));
  return scoreCvss(parsed.metrics);
}

/** Base scores as the standard's examples and the national database publish them. */
const PUBLISHED: Readonly<Record<string, number>> = {
  "AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H": 10,
  "AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H": 9.9,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H": 9.8,
  "AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H": 9.3,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H": 9.1,
  "AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H": 8.8,
  "AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H": 8.8,
  "AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H": 8.8,
  "AV:L/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H": 8.8,
  "AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:N": 8.6,
  "AV:L/AC:L/PR:H/UI:N/S:C/C:H/I:H/A:H": 8.2,
  "AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H": 8.1,
  "AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H": 7.8,
  "AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H": 7.8,
  "AV:P/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H": 7.6,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N": 7.5,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H": 7.5,
  "AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:H": 7.5,
  "AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N": 7.4,
  "AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H": 7.2,
  "AV:L/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:H": 7,
  "AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N": 6.8,
  "AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N": 6.8,
  "AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H": 6.8,
  "AV:L/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H": 6.7,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N": 6.5,
  "AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N": 6.5,
  "AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N": 6.4,
  "AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N": 6.1,
  "AV:L/AC:L/PR:H/UI:N/S:U/C:N/I:H/A:H": 6,
  "AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N": 5.9,
  "AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N": 5.8,
  "AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N": 5.5,
  "AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N": 5.4,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N": 5.3,
  "AV:N/AC:L/PR:H/UI:R/S:C/C:L/I:L/A:N": 4.8,
  "AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N": 4.3,
  "AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L": 4.2,
  "AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N": 3.1,
  "AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:L": 1.6,
  "AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N": 0,
};

for (const [vector, base] of Object.entries(PUBLISHED)) {
  test(`${vector} has the base score ${base}`, () => {
    assert.deepEqual([score(`CVSS:3.1/${vector}`).base, score(vector).score], [base, base]);
  });
}

/** Base, temporal and environmental, as two other implementations give them. */
const ALL_GROUPS: Readonly<Record<string, readonly [number, number, number]>> = {
  "AV:A/AC:H/PR:L/UI:R/S:C/C:L/I:L/A:L/E:U/RL:O/RC:U/CR:M/IR:M/AR:M/MAV:A/MAC:H/MPR:L/MUI:N/MS:X/MC:N/MI:H/MA:X":
    [5.1, 4.1, 5.2],
  "AV:A/AC:H/PR:L/UI:R/S:C/C:L/I:L/A:L/E:H/RL:U/RC:C/CR:M/IR:M/AR:M/MAV:N/MAC:L/MPR:N/MUI:N/MS:C/MC:H/MI:H/MA:H":
    [5.1, 5.1, 10],
  "AV:P/AC:H/PR:H/UI:R/S:C/C:N/I:L/A:H/E:H/RL:X/RC:C/CR:H/IR:H/AR:H/MAV:X/MAC:L/MPR:N/MUI:N/MS:U/MC:X/MI:H/MA:N":
    [5.4, 5.4, 6.4],
  "AV:A/AC:H/PR:H/UI:N/S:C/C:N/I:L/A:N/E:X/RL:X/RC:U/CR:H/IR:L/AR:H/MAV:L/MAC:H/MPR:L/MUI:X/MS:C/MC:N/MI:N/MA:N":
    [2.6, 2.4, 0],
  "AV:N/AC:L/PR:H/UI:R/S:C/C:N/I:N/A:N/E:X/RL:W/RC:U/CR:M/IR:M/AR:L/MAV:A/MAC:H/MPR:N/MUI:N/MS:U/MC:X/MI:N/MA:H":
    [0, 0, 3.2],
  "AV:N/AC:H/PR:L/UI:N/S:C/C:L/I:N/A:N/E:H/RL:U/RC:X/CR:X/IR:M/AR:X/MAV:N/MAC:L/MPR:X/MUI:N/MS:X/MC:L/MI:L/MA:H":
    [3.5, 3.5, 9.1],
  "AV:A/AC:L/PR:L/UI:R/S:U/C:N/I:H/A:H/E:F/RL:O/RC:R/CR:H/IR:H/AR:M/MAV:N/MAC:L/MPR:X/MUI:X/MS:C/MC:X/MI:H/MA:N":
    [6.7, 6, 7.9],
  "AV:L/AC:H/PR:H/UI:N/S:U/C:H/I:H/A:H/E:F/RL:W/RC:X/CR:H/IR:M/AR:H/MAV:L/MAC:H/MPR:L/MUI:N/MS:X/MC:N/MI:L/MA:X":
    [6.4, 6.1, 6.4],
  "AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:N/A:N/E:P/RL:W/RC:R/CR:H/IR:M/AR:M/MAV:N/MAC:H/MPR:L/MUI:R/MS:C/MC:L/MI:H/MA:L":
    [7.7, 6.8, 6.5],
  "AV:A/AC:H/PR:L/UI:N/S:C/C:H/I:L/A:L/E:F/RL:U/RC:R/CR:H/IR:M/AR:L/MAV:N/MAC:L/MPR:N/MUI:N/MS:C/MC:H/MI:H/MA:H":
    [7.1, 6.7, 9.4],
};

for (const [vector, [base, temporal, environmental]] of Object.entries(ALL_GROUPS)) {
  test(`${vector} is ${base}, ${temporal}, ${environmental}`, () => {
    const found = score(vector);
    assert.deepEqual(
      [found.base, found.temporal ?? found.base, found.environmental],
      [base, temporal, environmental],
    );
    assert.equal(found.score, environmental);
  });
}

test("temporal metrics alone give the temporal score; undefined ones give none", () => {
  const base = "AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
  assert.deepEqual(score(`${base}/E:P/RL:O/RC:C`), {
    base: 9.8,
    temporal: 8.8,
    score: 8.8,
    severity: "high",
  });
  assert.deepEqual(score(`${base}/E:X/RL:X/RC:X/MAV:X/CR:X`), {
    base: 9.8,
    score: 9.8,
    severity: "critical",
  });
});

/** Every base vector there is. */
function allBase(): readonly Metrics[] {
  let vectors: readonly Metrics[] = [{}];
  for (const name of BASE_METRICS) {
    vectors = vectors.flatMap((vector) =>
      (valuesOf(name) ?? []).map((value) => ({ ...vector, [name]: value })),
    );
  }
  return vectors;
}

test("no metric made worse ever lowers a base score, for every vector there is", () => {
  // From the best for the defender to the worst; a changed scope also weighs privileges, so it is compared with what is.
  const worse: Readonly<Record<string, string>> = {
    AV: "PLAN",
    AC: "HL",
    PR: "HLN",
    UI: "RN",
    S: "UC",
    C: "NLH",
    I: "NLH",
    A: "NLH",
  };
  const vectors = allBase();
  assert.equal(vectors.length, 2592);
  for (const vector of vectors) {
    for (const [name, order] of Object.entries(worse)) {
      const next = order[order.indexOf(vector[name] ?? "") + 1];
      if (next === undefined) continue;
      const [before, after] = [scoreCvss(vector).base, scoreCvss({ ...vector, [name]: next }).base];
      assert.ok(after >= before, `${toCvssVector(vector)} ${before} with ${name}:${next} ${after}`);
    }
  }
});

test("every score is a tenth from 0 to 10, in its severity's range; temporal never above base", () => {
  const metric = (name: string) => fc.constantFrom(...(valuesOf(name) ?? []));
  const names = [...BASE_METRICS, ...TEMPORAL_METRICS, ...ENVIRONMENTAL_METRICS];
  const vector = fc.record(Object.fromEntries(names.map((name) => [name, metric(name)])));
  const ranges = {
    none: [0, 0],
    low: [0.1, 3.9],
    medium: [4, 6.9],
    high: [7, 8.9],
    critical: [9, 10],
  } as const;
  fc.assert(
    fc.property(vector, (metrics) => {
      const { base, temporal = base, environmental = base, score: final, severity } = scoreCvss(metrics);
      for (const one of [base, temporal, environmental]) {
        assert.ok(one >= 0 && one <= 10 && Number(one.toFixed(1)) === one, String(one));
      }
      assert.ok(temporal <= base);
      const [from, to] = ranges[severity];
      assert.ok(final >= from && final <= to);
    }),
    { numRuns: runs(2000) },
  );
});

test("a vector that is written and read again is the same", () => {
  for (const metrics of allBase().slice(0, 100)) {
    assert.deepEqual(parseCvssVector(toCvssVector(metrics)), { metrics });
  }
  assert.deepEqual(
    parseCvssVector(" cvss:3.1/av:n/ac:l/pr:n/ui:n/s:u/c:h/i:h/a:h "),
    parseCvssVector("AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),
  );
});

for (const [vector, says] of [
  ["", [/"" is not a metric/, /missing: AV, AC, PR, UI, S, C, I, A/]],
  ["CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", [/begins with CVSS:3.0; only CVSS:3.1/]],
  ["CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H", [/begins with CVSS:4.0/]],
  ["AV:N/AC:L/Au:N/C:P/I:P/A:P", [/"Au:N" is not a metric/, /C is one of H, L, N/]],
  ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H", [/^missing: A$/]],
  ["CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", [/AV is given twice/]],
  ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/", [/"" is not a metric/]],
  ["CVSS:3.1/AV:N:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", [/"AV:N:L" is not a metric/]],
  ["CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", [/AV is one of N, A, L, P/]],
  ["9.8", [/"9.8" is not a metric/]],
  ["CVSS:3.1/__proto__:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", [/"__proto__:N" is not a metric/]],
] as const) {
  test(`${JSON.stringify(vector)} is refused, with every reason`, () => {
    const parsed = parseCvssVector(vector);
    assert.ok("problems" in parsed);
    for (const one of says)
      assert.ok(
        parsed.problems.some((problem) => one.test(problem)),
        String(one),
      );
  });
}
