import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_VI, pressVi, toNormal, type Vi } from "./vi.ts";
import type { Place } from "./motions.ts";

/** A text whose cursor is at `|`. */
function placeOf(text: string): Place {
  const lines = text.split("\n");
  const line = lines.findIndex((one) => one.includes("|"));
  const col = lines[line]?.indexOf("|") ?? 0;
  return { lines: lines.map((one) => one.replace("|", "")), line, col };
}

function shownAs({ lines, line, col }: Place): string {
  return lines
    .map((text, index) => (index === line ? `${text.slice(0, col)}|${text.slice(col)}` : text))
    .join("\n");
}

function typed(text: string, keys: string): { readonly shown: string; readonly vi: Vi } {
  let step = { place: placeOf(text), vi: { ...FIRST_VI, mode: "normal" } as Vi };
  for (const key of keys) step = pressVi(step.place, step.vi, key);
  return { shown: shownAs(step.place), vi: step.vi };
}

for (const [keys, from, to] of [
  ["h", "ab|c", "a|bc"],
  ["3l", "|abc", "ab|c"],
  ["l", "ab|c", "ab|c"],
  ["w", "|one two", "one |two"],
  ["w", "|one.two", "one|.two"],
  ["W", "|one.two x", "one.two |x"],
  ["w", "on|e\ntwo", "one\n|two"],
  ["2w", "|one two three", "one two |three"],
  ["b", "one tw|o", "one |two"],
  ["b", "one\n|two", "|one\ntwo"],
  ["e", "|one two", "on|e two"],
  ["ee", "|one two", "one tw|o"],
  ["0", "one| two", "|one two"],
  ["^", "  one| two", "  |one two"],
  ["$", "|one", "on|e"],
  ["j", "|one\ntwo", "one\n|two"],
  ["j", "|one", "|one"],
  ["k", "one\ntw|o", "on|e\ntwo"],
  ["gg", "one\ntw|o", "on|e\ntwo"],
  ["G", "o|ne\na\nb", "one\na\n|b"],
  ["2G", "|one\na\nb", "one\n|a\nb"],
  ["fo", "|one two", "one tw|o"],
  ["to", "|one two", "one t|wo"],
  ["Fo", "one tw|o", "|one two"],
  ["fx", "|one", "|one"],
  ["fo;", "|o o o", "o o |o"],
  ["fo;,", "|o o o", "o |o o"],
  ["x", "a|bc", "a|c"],
  ["3x", "|abcd", "|d"],
  ["x", "ab|c", "a|b"],
  ["X", "ab|c", "a|c"],
  ["dw", "|one two", "|two"],
  ["d2w", "|one two three", "|three"],
  ["2dw", "|one two three", "|three"],
  ["de", "|one two", "| two"],
  ["db", "one |two", "|two"],
  ["d$", "one| two", "on|e"],
  ["D", "one| two", "on|e"],
  ["d0", "one |two", "|two"],
  ["dfo", "|one two", "|"],
  ["dw", "on|e\ntwo", "o|n\ntwo"],
  ["dw", "on|e\n   \ntwo", "o|n\n   \ntwo"],
  ["dw", "on|e\n\ntwo", "o|n\n\ntwo"],
  ["dw", "|\ntwo", "|\ntwo"],
  ["2dw", "on|e\ntwo\nthree", "o|n\nthree"],
  ["w", "on|e\n\ntwo", "one\n|\ntwo"],
  ["9rx", "a|bc", "a|bc"],
  ["3rx", "|abc", "xx|x"],
  ["dto", "one |two", "one |o"],
  ["dd", "one\nt|wo\nthree", "one\n|three"],
  ["2dd", "o|ne\ntwo\nthree", "|three"],
  ["dd", "on|e", "|"],
  ["dj", "o|ne\ntwo\nthree", "|three"],
  ["dG", "one\nt|wo\nthree", "|one"],
  ["ddp", "|one\ntwo", "two\n|one"],
  ["yyP", "one|", "|one\none"],
  ["ywP", "|one two", "one| one two"],
  ["xp", "|ab", "b|a"],
  ["x3p", "|ab", "baa|a"],
  ["rx", "|abc", "|xbc"],
  ["2rx", "|abc", "x|xc"],
  ["~", "|abc", "A|bc"],
  ["J", "on|e\n  two", "one| two"],
  ["dx", "|one two", "|one two"],
  ["dz", "|one", "|one"],
  ["x", "|👩‍👩‍👧b", "|b"],
  ["x", "|[paste #1 +30 lines] b", "| b"],
] as const)
  test(`vi: ${keys} in ${JSON.stringify(from)} gives ${JSON.stringify(to)}`, () => {
    const { shown, vi } = typed(from, keys);
    assert.equal(shown, to);
    assert.equal(vi.mode, "normal");
    assert.equal(vi.pending, "");
  });

for (const [keys, from, to] of [
  ["i", "a|b", "a|b"],
  ["a", "a|b", "ab|"],
  ["I", "  a|b", "  |ab"],
  ["A", "|ab", "ab|"],
  ["o", "on|e\ntwo", "one\n|\ntwo"],
  ["O", "on|e", "|\none"],
  ["cw", "|one two", "| two"],
  ["cw", "on|e two", "on| two"],
  ["cw", "|a b", "| b"],
  ["2cw", "on|e two three", "on| three"],
  ["cW", "x.|y two", "x.| two"],
  ["cw", "one| two", "one|two"],
  ["cw", "tw|o\nthree", "tw|\nthree"],
  ["cc", "o|ne\ntwo", "|\ntwo"],
  ["S", "o|ne", "|"],
  ["s", "|one", "|ne"],
  ["C", "o|ne", "o|"],
  ["ct)", "f(|a, b)", "f(|)"],
] as const)
  test(`vi: ${keys} in ${JSON.stringify(from)} inserts at ${JSON.stringify(to)}`, () => {
    const { shown, vi } = typed(from, keys);
    assert.equal(shown, to);
    assert.equal(vi.mode, "insert");
  });

test("vi: Esc moves the cursor onto the character before it, and u asks to undo", () => {
  const { place, vi } = toNormal(placeOf("one|"), FIRST_VI);
  assert.equal(shownAs(place), "on|e");
  assert.equal(vi.mode, "normal");
  assert.equal(pressVi(place, vi, "u").isUndo, true);
  assert.equal(typed("|one", "d").vi.pending, "d");
});

test("a count is limited, so that no key holds up the terminal", () => {
  assert.equal(typed("|ab", "yl999999999p").shown.replace("|", "").length, 2 + 999);
});
