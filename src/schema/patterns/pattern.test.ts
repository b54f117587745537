import assert from "node:assert/strict";
import { test } from "node:test";
import { createValidator } from "../validate.ts";
import { costOf } from "./pattern-cost.ts";
import { compilePattern, matches } from "./pattern.ts";

const DANGEROUS = [
  "(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "(a*)*b",
  "([a-zA-Z]+)*$",
  "^(\\w+\\s?)*$",
  "(.*a){20}",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(x+x+)+y",
  "^(a?){30}a{30}$",
  `${"a?".repeat(30)}${"a".repeat(30)}`,
  "(a|a)".repeat(30),
  "(?=(a+)+b)",
  "(?<!(a+)+b)x",
  "^(?:a+){5,}$",
  "(?<name>\\d+|\\d)*$",
  "^([^,]|[\\w-])*$",
  "(\\u0061|a)*b",
  "(\\x61|[\\u{61}])*b",
];

for (const source of DANGEROUS) {
  test(`/${source}/ makes its schema unusable`, () => {
    const checked = createValidator({ type: "string", pattern: source }).check("a");
    assert.ok(!checked.ok && "unusable" in checked, JSON.stringify(checked));
    assert.match(checked.unusable, /time without end/);
  });
}

const SAFE = [
  "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$",
  "^I?\\d+[:|-]\\d+(?:;\\d+[:|-]\\d+)*$",
  "^(\\d{4}-?)*$",
  "^(ab|cd)*$",
  '^(?:[^"\\\\]|\\\\.)*$',
  "^(/[^/]+)+$",
  "^([a-z0-9]+,)*[a-z0-9]+$",
  "^[\\]a-]+$",
  "^\\p{L}+$",
  "(\\w)\\1",
];

for (const source of SAFE) {
  test(`/${source}/ is run`, () => {
    assert.ok("expression" in compilePattern(source), JSON.stringify(costOf(source)));
  });
}

test("a long text is matched against a slow pattern in bounded time", () => {
  const pattern = compilePattern("^a*a*a*a*a*a*b");
  assert.ok("expression" in pattern);
  const started = performance.now();
  assert.equal(matches(pattern, "a".repeat(5000)), false);
  assert.ok(performance.now() - started < 2000);
  assert.equal(matches(pattern, `${"a".repeat(5000)}b`), true);
});

test("a pattern that is only valid without the Unicode flag is still used", () => {
  const validator = createValidator({ type: "string", pattern: "^[\\w-\\.]+\\@x$" });
  assert.equal(validator.check("a.b@x").ok, true);
  assert.equal(validator.check("a b@x").ok, false);
});

test("a pattern matches by code points", () => {
  assert.equal(createValidator({ type: "string", pattern: "^.$" }).check("😀").ok, true);
});

test("what is no regular expression makes the schema unusable, for Ajv too", () => {
  for (const more of [{}, { not: false, contains: true }]) {
    const checked = createValidator({ pattern: "(", ...more }).check("a");
    assert.ok(!checked.ok && "unusable" in checked);
    assert.match(checked.unusable, /not a regular expression/);
  }
});

test("a dangerous pattern makes a schema of Ajv unusable", () => {
  const checked = createValidator({ patternProperties: { "(a+)+$": true }, contains: true }).check({});
  assert.ok(!checked.ok && "unusable" in checked);
  assert.match(checked.unusable, /time without end/);
});
