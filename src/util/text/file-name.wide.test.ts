import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fromFileName, isFileName, nameAsData, quoteName, toFileName, unquoteName } from "./file-name.ts";

for (const [name, shown] of [
  ["src/a b.ts", "src/a b.ts"],
  ["می\u200cخواهم.txt", "می\u200cخواهم.txt"],
  ["a\nb", '"a\\nb"'],
  ["a\u001b[31m", '"a\\u001b[31m"'],
  ["\u009ba\u2028", '"\\u009ba\\u2028"'],
  ['"a"', '"\\"a\\""'],
  [" a ", '" a "'],
  ['a"b', 'a"b'],
  ["caf\udce9\\udce9", '"caf\\xe9\\\\udce9"'],
] as const) {
  test(`${JSON.stringify(name)} is shown as ${shown}`, () => {
    assert.equal(quoteName(name), shown);
    assert.equal(unquoteName(shown), name);
  });
}

test("a quoted text that needed no quotes is a name itself", () => {
  for (const name of ['"plain"', '"', '""', '"a" and "b"']) assert.equal(unquoteName(name), name);
});

test("every name is shown on one line without control characters, and read back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      assert.doesNotMatch(quoteName(name), /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
      assert.equal(unquoteName(quoteName(name)), name);
    }),
  );
});

test("the bytes of every name are read back from how it is shown", () => {
  const byte = fc.constantFrom(0x2f, 0x41, 0x5c, 0x78, 0x80, 0xa9, 0xc3, 0xe2, 0xed, 0xf0, 0xff);
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 8 }), (bytes) => {
      const name = fromFileName(Buffer.from(bytes));
      assert.ok(isFileName(name));
      assert.deepEqual([...Buffer.from(toFileName(unquoteName(quoteName(name))))], bytes);
      assert.ok(nameAsData(name).isWellFormed());
    }),
  );
});

test("single surrogates that stand for no byte, and bytes that are UTF-8 together, are no names", () => {
  for (const name of ["\ud800", "\udc7f", "a\udcc3\udca9"]) assert.equal(isFileName(name), false);
});

test("a name that the runtime has decoded is returned as it is", () => {
  assert.equal(fromFileName("é.txt"), "é.txt");
});
