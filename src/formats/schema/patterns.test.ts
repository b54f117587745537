import assert from "node:assert/strict";
import { test } from "node:test";
import { isPortable } from "./patterns.ts";

const PORTABLE = ["^/", "^[a-z]+$", "\\d{3}-\\w*", "(?:a|b)?", "^[^\\]]*$", "a+?", "\\(", "\\x41", ""];
const FOREIGN = [
  "(?!x)",
  "(?=x)",
  "(?<=x)",
  "(?<name>x)",
  "(?P<n>x)",
  "\\p{L}",
  "\\u0041",
  "(a)\\1",
  "\\k<n>",
];
const BROKEN = ["(", "a)", "[a", "\\", "*a", "?a", "(+)", "a**", "a{2}{3}", "a++"];

for (const pattern of PORTABLE)
  test(`${pattern} reads the same everywhere`, () => assert.ok(isPortable(pattern)));
for (const pattern of [...FOREIGN, ...BROKEN])
  test(`${pattern} is refused somewhere`, () => assert.equal(isPortable(pattern), false));
