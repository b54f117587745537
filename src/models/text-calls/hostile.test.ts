import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextReader } from "./create-text-reader.ts";

// That reading takes linear time is measured in test/long/hostile-text.test.ts.
test("a million opening tags and a hundred thousand brackets are unchanged text", () => {
  for (const text of ["<".repeat(1_000_000), "[".repeat(100_000), "[\n".repeat(50_000)]) {
    const reader = createTextReader({ dialect: "auto" });
    const pieces = [...reader.push(text), ...reader.end("stop")];
    assert.equal(pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join(""), text);
  }
});

test("values that are nested too deep are a problem, not a crash", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const deep = open.repeat(100_000) + close.repeat(100_000);
    for (const text of [`<tool_call>{"name": "a", "arguments": ${deep}}</tool_call>`, `[a(b=${deep})]`]) {
      const reader = createTextReader({ dialect: "auto" });
      const pieces = [...reader.push(text), ...reader.end("stop")];
      assert.ok(pieces.every(({ kind }) => kind !== "call"));
    }
  }
});

test("outside calls only the possible beginning of one is held back", () => {
  const reader = createTextReader({ dialect: "auto" });
  let [given, taken] = [0, 0];
  for (const part of [
    "<".repeat(999),
    "some text ",
    '<a href="',
    "x".repeat(2000),
    "[",
    "   ".repeat(500),
    "{ ",
    "y".repeat(100),
    "<div",
  ]) {
    given += part.length;
    for (const piece of reader.push(part)) taken += piece.kind === "text" ? piece.text.length : 0;
    assert.ok(given - taken <= 600, `${given - taken} characters are held back`);
  }
});
