import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf } from "../read/place.ts";
import { readWhole } from "./guided-reader.ts";
import { createSearch } from "./guided-search.ts";
import { GuidedText } from "./guided-text.ts";
import { readGuided } from "./guided-value.ts";

/** Counts how often a pattern is tried. */
class CountingText extends GuidedText {
  tries = 0;

  override match(pattern: RegExp, at: number): RegExpExecArray | undefined {
    this.tries += 1;
    return super.match(pattern, at);
  }
}

const PLACE = placeOf({ type: "object", properties: { content: { type: "string" }, other: {} } });

for (const run of [",", ", ", "//x ", '" //']) {
  test(`a damaged text with thousands of ${JSON.stringify(run)} is given up after a limited number of steps`, () => {
    const text = new CountingText(`{"content":"${run.repeat(6000)} " x"}`, "json");
    for (const { value } of readWhole(createSearch(text, String), PLACE)) assert.ok(value);
    assert.ok(text.tries < 1_500_000, `${text.tries} tries`);
  });
}

test("a hundred thousand brackets too many after an item are not a crash", () => {
  const place = placeOf({
    type: "object",
    properties: { items: { type: "array", items: { type: "string" } } },
  });
  const reading = readGuided(`{"items":["a"${"}".repeat(100_000)}]}`, place, "json");
  assert.deepEqual("value" in reading && reading.value, { items: ["a"] });
});
