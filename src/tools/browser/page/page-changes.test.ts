import assert from "node:assert/strict";
import { test } from "node:test";
import { describeChanges } from "./page-changes.ts";

const lines = (...texts: readonly string[]) => texts.map((text) => ({ depth: 0, text, relevance: 1 }));

test("what is new, has changed and is gone is a line each, in this order", () => {
  const before = lines('[1] textbox "Name"', '[2] button "Save"', "Hello", "Hello", '[3] link "Old"');
  const after = lines('[1] textbox "Name" = Ada', '[2] button "Save" (focused)', "Hello", 'status "Saved"');
  assert.equal(
    describeChanges(before, after),
    ['~ [1] textbox "Name" = Ada', '+ status "Saved"', "- Hello", '- [3] link "Old"'].join("\n"),
  );
});

test("where the focus is counts as no change", () => {
  const before = lines('[1] checkbox "Gift" (checked)', '[2] button "Save" (focused)');
  const after = lines('[1] checkbox "Gift" (checked, focused)', '[2] button "Save"');
  assert.equal(describeChanges(before, after), "");
});

test("many changes are cut, and say how many more there are", () => {
  const after = lines(...Array.from({ length: 500 }, (_, index) => `Row ${index} of the table`));
  const text = describeChanges([], after);
  assert.ok(text.length < 3100);
  assert.match(text, /^\+ Row 0 [^]*\n\[\d+ more changes; get_page shows the page\]$/);
});
