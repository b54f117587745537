import assert from "node:assert/strict";
import { test } from "node:test";
import { isSanitized, sanitize } from "./sanitize.ts";

for (const [what, dirty, clean] of [
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["a clipboard write (OSC 52)", "a\u001b]52;c;aGk=\u0007b", "ab"],
  ["a window title", "\u001b]0;title\u0007x", "x"],
  ["bell, backspace and NUL", "a\u0007b\u0008c\u0000d", "abcd"],
  ["a carriage return that would overwrite the line", "safe\revil", "safe\nevil"],
  ["right-to-left override", "a\u202Eb", "a\\u{202e}b"],
  ["zero-width space", "a\u200Bb", "a\\u{200b}b"],
  ["a joiner inside a word", "a\u200Db", "a\\u{200d}b"],
  ["tag characters", "a\u{E0041}b", "a\\u{e0041}b"],
  ["byte order mark", "\uFEFFa", "\\u{feff}a"],
  ["C1 controls", "a\u009bb", "ab"],
] as const) {
  test(`${what}: gone or visible`, () => {
    assert.equal(sanitize(dirty), clean);
    // Long text is searched in another way.
    assert.equal(sanitize("x".repeat(5000) + dirty), "x".repeat(5000) + clean);
  });
}

for (const text of ["plain", "tab\tand\nnewline", "windows\r\nline ends", "日本語 ñ é", "👨‍👩‍👧 family", "❤️"]) {
  test(`stays as it is: ${JSON.stringify(text)}`, () => {
    assert.equal(sanitize(text), text);
  });
}

test("every control character but tab and line feed is found, in a short text and in a long one", () => {
  for (const length of [0, 600]) {
    for (let code = 0; code < 128; code += 1) {
      const isControl = (code < 32 && code !== 9 && code !== 10) || code === 127;
      const text = `${"a".repeat(length)}${String.fromCharCode(code)}b`;
      assert.equal(isSanitized(text), !isControl, `code ${code} after ${length} characters`);
    }
  }
});
