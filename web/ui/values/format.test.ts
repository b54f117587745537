import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agoOf,
  bytesOf,
  countOf,
  durationOf,
  editableJson,
  onOneLine,
  plural,
  prettyJson,
  shortId,
  timeOf,
} from "./format.ts";

const SECOND = 1000;
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND];

test("a duration has the unit that fits it", () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, "<1 ms"],
    [0.99, "<1 ms"],
    [1, "1 ms"],
    [999, "999 ms"],
    [999.7, "1.0 s"],
    [1000, "1.0 s"],
    [1550, "1.6 s"],
    [9960, "10 s"],
    [10_000, "10 s"],
    [59_400, "59 s"],
    [59_999, "1 min"],
    [MINUTE, "1 min"],
    [MINUTE + 5 * SECOND, "1 min 5 s"],
    [2 * MINUTE - 1, "2 min"],
    [HOUR - 1, "1 h"],
    [HOUR, "1 h"],
    [HOUR + 61 * SECOND, "1 h 1 min"],
    [30 * HOUR, "30 h"],
    [48 * HOUR, "2 days"],
  ];
  for (const [ms, text] of rows) assert.equal(durationOf(ms), text, String(ms));
});

test("the time since something has one unit and is never negative", () => {
  const rows: readonly (readonly [number, string])[] = [
    [-HOUR, "just now"],
    [0, "just now"],
    [6 * SECOND, "6 s ago"],
    [3 * MINUTE, "3 min ago"],
    [2 * HOUR, "2 h ago"],
    [40 * DAY, "40 d ago"],
  ];
  for (const [ms, text] of rows) assert.equal(agoOf(Date.now() - ms), text);
});

test("a time has its date if it is not of today, and no hidden mark of direction", () => {
  const [now, before] = [timeOf(Date.now()), timeOf(Date.now() - 2 * DAY)];
  assert.ok(before.length > now.length, `${before} and ${now}`);
  assert.doesNotMatch(`${now}${before}`, /\p{Cf}/u);
});

test("bytes have the unit that fits them", () => {
  assert.deepEqual([0, 999, 1000, 999_949, 999_960, 1_000_000, 2_500_000_000].map(bytesOf), [
    "0 B",
    "999 B",
    "1.0 KB",
    "999.9 KB",
    "1.0 MB",
    "1.0 MB",
    "2500.0 MB",
  ]);
});

test("one is singular, and any other number plural", () => {
  assert.deepEqual(
    [plural(0, "call"), plural(1, "call"), plural(2, "call")],
    ["0 calls", "1 call", "2 calls"],
  );
  assert.equal(plural(12_345, "call"), `${countOf(12_345)} calls`);
});

test("a long id is shown by its end, with the path of an inner call", () => {
  assert.equal(shortId("short"), "short");
  assert.equal(shortId("exactly12abc"), "exactly12abc");
  assert.equal(shortId("0198c1d2-aaaa-bbbb"), "aaa-bbbb");
  assert.equal(shortId("0198c1d2-aaaa-bbbb.2.10"), "aaa-bbbb.2.10");
});

test("a value fits on one line", () => {
  assert.equal(onOneLine("a\n\tb"), "a b");
  assert.equal(
    onOneLine({ path: "a\nb", deep: { n: 1 }, none: null }),
    'path=a b  deep={"n":1}  none=null'.replaceAll("  ", " "),
  );
  assert.equal(onOneLine([1, 2]), "[1,2]");
  assert.equal(onOneLine(null), "null");
  assert.equal(onOneLine(undefined), "");
});

test("JSON to edit shows every hidden character, and its value is the same", () => {
  const value = { text: "a\u202eb\u200bc", plain: "é" };
  const text = editableJson(value);
  assert.doesNotMatch(text, /\p{Cf}/u);
  assert.deepEqual(JSON.parse(text), value);
  assert.notEqual(text, prettyJson(value));
  assert.equal(prettyJson(undefined), "");
});
