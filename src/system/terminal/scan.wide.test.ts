import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as check, constantFrom, nat, property } from "fast-check";
import { keyBytes } from "./keys.ts";
import { createPromptScanner } from "./scan.ts";

const E = "\u001E";

function scan(chunks: readonly string[]) {
  const scanner = createPromptScanner("tok");
  const scanned = chunks.map((chunk) => scanner.push(chunk));
  return {
    text: scanned.map(({ text }) => text).join("") + scanner.end(),
    marks: scanned.flatMap(({ marks }) => marks),
  };
}

test("marks are removed from the text and returned in order", () => {
  const { text, marks } = scan([`a${E}tok;1;0;/w${E}b${E}tok;;;${E}c${E}tok;2;130;/x;y\nz${E}`]);
  assert.equal(text, "abc");
  assert.deepEqual(marks, [
    { command: 1, exitCode: 0, folder: "/w" },
    { command: 2, exitCode: 130, folder: "/x;y\nz" },
  ]);
});

test("text that only looks like a mark stays", () => {
  for (const text of [E, `${E}to`, `${E}other;1;0;/w${E}`, `tok;1;0;/w`, `${E}${E}tok`]) {
    assert.deepEqual(scan([text]), { text, marks: [] });
  }
});

test("an unterminated mark is treated as text, so that memory is limited", () => {
  const { text, marks } = scan([`${E}tok;`, ...Array.from({ length: 20 }, () => "x".repeat(1000))]);
  assert.equal(text, "x".repeat(20_000));
  assert.deepEqual(marks, []);
});

test("the result does not depend on the chunks", () => {
  const piece = constantFrom("a", "\n", E, `${E}tok`, `${E}tok;3;1;/w${E}`, `${E}tok;;;${E}`, "tok;", ";");
  const whole = array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  check(
    property(whole, array(nat(80), { maxLength: 8 }), (text, cuts) => {
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
      assert.deepEqual(scan(chunks), scan([text]));
    }),
  );
});

test("keys have names; other texts are not keys", () => {
  assert.equal(keyBytes("C-c"), "\u0003");
  assert.equal(keyBytes("C-D"), "\u0004");
  assert.equal(keyBytes("C-\\"), "\u001C");
  assert.equal(keyBytes("Up"), "\u001B[A");
  assert.equal(keyBytes("Enter"), "\r");
  for (const text of ["up", "C-", "C-cc", "hello", "", "toString"])
    assert.equal(keyBytes(text), undefined, text);
});
