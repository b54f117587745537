import assert from "node:assert/strict";
import { test } from "node:test";
import { createPaint } from "../../../terminal/print/paint.ts";
import { createRenderedText } from "./rendered-text.ts";

test("an answer that comes in pieces is rendered block by block, without its marks or control characters", () => {
  let printed = "";
  const paint = createPaint({ isColoured: true });
  const rendered = createRenderedText(
    (text) => void (printed += text),
    () => ({ width: 20, paint }),
  );
  const answer =
    "# Title\n\nIt is **done**, in\u{1b}]0;x\u{7} words.\n\n| a | b |\n|---|--:|\n| one | 2 |\n\nEnd";
  for (const piece of answer.match(/[^]{1,3}/g) ?? []) rendered.add(piece);
  assert.match(printed, /Title[^]*one/);
  assert.doesNotMatch(printed, /End/, "a block that may still grow waits");
  rendered.end();
  const plain = printed.replaceAll(/\u{1b}\[[\d;]*m/gu, "");
  assert.doesNotMatch(plain, /\*\*|#|\|---|[\u{1b}\u{7}]/u);
  assert.match(plain, /\n\nIt is done, in[^\n]*\n[^]*\n\nEnd\n$/);
  assert.ok(
    plain.split("\n").every((row) => row.length <= 20),
    plain,
  );
});
