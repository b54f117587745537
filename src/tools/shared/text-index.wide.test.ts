import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTextIndex } from "./text-index.ts";
import { runs } from "../../../test/support/property-runs.ts";

test("a word in a text that weighs more ranks higher, and rare words count more than common ones", () => {
  const index = createTextIndex(
    [
      { name: "other", text: "the deploy script" },
      { name: "deploy", text: "how it is done" },
      { name: "script", text: "a script, a script" },
    ],
    ({ name, text }) => [
      [name, 5],
      [text, 1],
    ],
  );
  assert.deepEqual(
    index.search("deploy", 9).map(({ name }) => name),
    ["deploy", "other"],
  );
  assert.deepEqual(index.search("zebra", 9), []);
});

test("nothing is found in nothing, and no more than the limit in much", () => {
  assert.deepEqual(createTextIndex([], () => []).search("a", 5), []);
  const many = createTextIndex(
    Array.from({ length: 50 }, (_, index) => index),
    () => [["same words", 1]],
  );
  assert.deepEqual(many.search("words", 3), [0, 1, 2]);
});

test("whatever the texts are, an item is found by any whole word of its own that is not a stop word", () => {
  const word = fc.stringMatching(/^[b-z]{4,9}$/).filter((text) => !text.endsWith("s"));
  fc.assert(
    fc.property(
      fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 20 }),
      (texts) => {
        const index = createTextIndex(texts, (words) => [[words.join(" "), 1]]);
        for (const words of texts) {
          for (const one of words) {
            if (["from", "into", "that", "want", "what", "which", "with"].includes(one)) continue;
            assert.ok(index.search(one, texts.length).includes(words), one);
          }
        }
      },
    ),
    { numRuns: runs(50) },
  );
});

for (const [query, text] of [
  ["github", "Opens an issue on GitHub"],
  ["GitHub", "github issues"],
  ["typescript", "Prefers TypeScript's strict mode"],
  ["script", "TypeScript"],
  ["read file", "readFile"],
  ["straßenName", "StraßenName"],
] as const) {
  test(`${query} finds "${text}"`, () => {
    const index = createTextIndex(["nothing of the kind", text], (one) => [[one, 1]]);
    assert.deepEqual(index.search(query, 5), [text]);
  });
}
