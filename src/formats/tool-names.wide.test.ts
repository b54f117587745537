import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProviderFormat } from "./provider-shapes.ts";
import { createToolNames, toProviderName } from "./tool-names.ts";

const PATTERNS: Readonly<Record<ProviderFormat, RegExp>> = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  "openai-responses": /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  google: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  mcp: /^[a-zA-Z0-9_.-]{1,128}$/,
};
const FORMATS = Object.keys(PATTERNS) as ProviderFormat[];

const anyName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom("a", "_", ".", " ", "é"), maxLength: 4 }),
);

for (const format of FORMATS) {
  test(`${format}: every name becomes one that the provider accepts, the same each time`, () => {
    fc.assert(
      fc.property(anyName, (name) => {
        assert.match(toProviderName(name, format), PATTERNS[format]);
        assert.equal(toProviderName(name, format), toProviderName(name, format));
      }),
    );
  });

  test(`${format}: in any set each shown name maps back to its tool, in any order`, () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { maxLength: 30 }), (names) => {
        const both = createToolNames(names, format);
        const reversed = createToolNames(names.toReversed(), format);
        for (const name of names) {
          assert.equal(both.original(both.shown(name)), name);
          assert.match(both.shown(name), PATTERNS[format]);
          assert.equal(reversed.shown(name), both.shown(name));
        }
      }),
    );
  });
}

test("a safe name stays unchanged, and another that would become it gets a hash", () => {
  const names = createToolNames(["files read", "files_read", "files.read"], "openai");
  assert.equal(names.shown("files_read"), "files_read");
  assert.match(names.shown("files read"), /^files_read_[a-z0-9]{7}$/);
  assert.match(names.shown("files.read"), /^files_read_[a-z0-9]{7}$/);
  assert.notEqual(names.shown("files.read"), names.shown("files read"));
});

test("a name that equals the hashed form of another stays distinct from it", () => {
  const hashed = createToolNames(["a b", "a.b"], "openai").shown("a b");
  const names = createToolNames(["a b", "a.b", hashed], "openai");
  assert.equal(names.shown(hashed), hashed);
  assert.equal(new Set(["a b", "a.b", hashed].map((name) => names.shown(name))).size, 3);
});

test("long names that differ only at their end stay distinct", () => {
  const [first, second] = [`${"a".repeat(100)}1`, `${"a".repeat(100)}2`];
  assert.notEqual(toProviderName(first, "openai"), toProviderName(second, "openai"));
  assert.equal(toProviderName(first, "mcp"), first);
});

test("names with the same hash stay distinct, in any order", () => {
  // Found by search: the cut and the hash of both are the same.
  const [first, second] = [`${"a".repeat(64)}596345`, `${"a".repeat(64)}1000030`];
  const names = createToolNames([first, second], "openai");
  assert.equal(toProviderName(first, "openai"), toProviderName(second, "openai"));
  assert.notEqual(names.shown(first), names.shown(second));
  assert.equal(createToolNames([second, first], "openai").shown(first), names.shown(first));
});

test("a single name is shown as in a set without collisions", () => {
  const names = createToolNames(["a.b", "1st"], "google");
  assert.equal(names.shown("a.b"), toProviderName("a.b", "google"));
  assert.equal(names.shown("1st"), "_1st");
  assert.equal(toProviderName("", "openai"), "_");
});

test("a name that was never shown maps to no tool", () => {
  assert.equal(createToolNames(["a.b"], "openai").original("a.b"), undefined);
  assert.equal(createToolNames([], "openai").original("constructor"), undefined);
});
