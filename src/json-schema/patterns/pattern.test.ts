import assert from "node:assert/strict";
import { test } from "node:test";
import { createValidator } from "../../schema/validate.ts";
import { createPatterns } from "./pattern.ts";
import { loadFull } from "../compile-schema.ts";

await loadFull();

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

/** Enough for a busy machine, and far less than without a limit: hours, or 50 s or more if each test had a limit of its own. */
const BOUND_MS = 30_000;

for (const source of DANGEROUS) {
  test(`/${source}/ is tested in bounded time`, () => {
    const patterns = createPatterns({ checkMs: 20, patternsMs: 10 });
    const pattern = patterns.compile(source);
    assert.ok("test" in pattern);
    const startedAt = performance.now();
    patterns.limit(() => pattern.test(`${"a".repeat(60)}!`));
    assert.ok(performance.now() - startedAt < BOUND_MS);
  });
}

const DANGEROUS_LIST = {
  type: "array",
  items: { type: "string", pattern: "^(a|a)*$" },
};

test("many texts and many patterns share the time limit of one check", () => {
  const texts = Array.from({ length: 500 }, () => `${"a".repeat(60)}!`);
  const patterns = Array.from({ length: 100 }, (_, index) => ({ pattern: `^(a|a)*${index}$` }));
  const startedAt = performance.now();
  // Checked by the quick validator, and by the full one.
  for (const more of [{}, { $anchor: "a" }]) {
    assert.equal(createValidator({ ...DANGEROUS_LIST, ...more }).check(texts).ok, false);
    assert.equal(createValidator({ allOf: patterns, ...more }).check(`${"a".repeat(60)}!`).ok, false);
  }
  assert.ok(performance.now() - startedAt < BOUND_MS);
});

test("many texts are matched by a pattern with a repeated group, however many there are", () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `name-${index}.example.org`);
  for (const more of [{}, { $anchor: "a" }]) {
    const items = { type: "string", pattern: "^(?:[a-z0-9-]+\\.)+[a-z]+$" };
    assert.equal(createValidator({ type: "array", items, ...more }).check(texts).ok, true);
    assert.equal(createValidator({ type: "array", items, ...more }).check([...texts, "?"]).ok, false);
  }
});

test("a check after one that took too long has the whole time again", () => {
  const validator = createValidator(DANGEROUS_LIST);
  assert.equal(validator.check([`${"a".repeat(60)}!`]).ok, false);
  assert.equal(validator.check(["aaa"]).ok, true);
});

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
    const patterns = createPatterns();
    const pattern = patterns.compile(source);
    assert.ok("test" in pattern);
    for (const text of ["", "a", "aa", "a.b@c.de", "1-2;3:4", "/a/b", "]a-"])
      assert.equal(
        patterns.limit((): boolean => pattern.test(text)),
        new RegExp(source, "u").test(text),
        text,
      );
  });
}

test("a long text is matched against a slow pattern in bounded time", () => {
  const patterns = createPatterns();
  const pattern = patterns.compile("^a*a*a*a*a*a*b");
  assert.ok("test" in pattern);
  const started = performance.now();
  assert.equal(
    patterns.limit(() => pattern.test("a".repeat(5000))),
    false,
  );
  assert.ok(performance.now() - started < BOUND_MS);
  assert.equal(
    patterns.limit(() => pattern.test(`${"a".repeat(5000)}b`)),
    true,
  );
});

test("an error of a check is thrown, and the next check runs", () => {
  const patterns = createPatterns();
  const pattern = patterns.compile("^(a+)+$");
  assert.ok("test" in pattern);
  const fail = (): never => {
    throw new RangeError("too deep");
  };
  assert.throws(() => patterns.limit(fail), RangeError);
  assert.equal(
    patterns.limit(() => pattern.test("aa")),
    true,
  );
});

test("a pattern that is only valid without the Unicode flag is still used", () => {
  const validator = createValidator({ type: "string", pattern: "^[\\w-\\.]+\\@x$" });
  assert.equal(validator.check("a.b@x").ok, true);
  assert.equal(validator.check("a b@x").ok, false);
});

test("a pattern matches by code points", () => {
  assert.equal(createValidator({ type: "string", pattern: "^.$" }).check("😀").ok, true);
});

test("what is no regular expression makes the schema unusable, for the full validator too", () => {
  for (const more of [{}, { not: false, contains: true }]) {
    const checked = createValidator({ pattern: "(", ...more }).check("a");
    assert.ok(!checked.ok && "unusable" in checked);
    assert.match(checked.unusable, /not a regular expression/);
  }
});
