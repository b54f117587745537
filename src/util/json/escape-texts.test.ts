import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeControls, escapeTexts } from "./escape-texts.ts";

test("in a definition only its texts are escaped, and a clean one is the same object", () => {
  const clean = { description: "plain\n\ttext", input: { enum: ["a\u200b"] } };
  assert.equal(escapeTexts(clean), clean);
  const data = {
    enum: ["\u001b"],
    default: { title: "\u001b" },
    const: "\u202e",
    _meta: { title: ["\u001b"] },
  };
  const given = {
    name: "\u001b",
    title: "\u202ex",
    uri: "\u001b",
    items: [{ description: "\u0085", name: "\u001b", ...data }],
    properties: { description: { type: "string" } },
  };
  assert.deepEqual(escapeTexts(given, ["name"]), {
    name: "\\u{1b}",
    title: "\\u{202e}x",
    uri: "\u001b",
    items: [{ description: "\\u{85}", name: "\u001b", ...data }],
    properties: { description: { type: "string" } },
  });
});

test("a line end of two characters stays, a carriage return alone does not", () => {
  assert.equal(escapeControls("a\r\nb\rc\u200d"), "a\r\nb\\u{d}c\u200d");
});
