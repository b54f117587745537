import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Progress } from "../../core/context.ts";
import { progressLines } from "./progress-lines.ts";

interface Picked {
  readonly text: string;
  readonly progress: readonly Progress[];
}

function pick(pieces: readonly string[]): Picked {
  const progress: Progress[] = [];
  let text = "";
  const lines = progressLines({
    onProgress: (one) => progress.push(one),
    onText: (piece) => (text += piece),
  });
  for (const piece of pieces) lines.write(piece);
  lines.end();
  return { text, progress };
}

const LINES: Readonly<Record<string, readonly Progress[]>> = {
  '{"progress": "reading"}': ["reading"],
  '  {"progress": "indented"}  ': ["indented"],
  '{"progress": 3}': [{ done: 3 }],
  '{"progress": 3, "total": 9, "message": "m"}': [{ done: 3, total: 9, message: "m" }],
  '{"progress": {"done": 1, "total": 2}}': [{ done: 1, total: 2 }],
  '{"progress": {"message": "m", "file": "a"}}': [{ message: "m", data: { message: "m", file: "a" } }],
  '{"progress": [1]}': [{ data: [1] }],
  '{"progress": null}': [{ data: null }],
  '{"progress": true}': [{ data: true }],
};
for (const [line, expected] of Object.entries(LINES))
  test(`${line} is progress`, () => {
    assert.deepEqual(pick([`${line}\n`]), { text: "", progress: expected });
    assert.deepEqual(pick([line]), { text: "", progress: expected }, "also as a last line without an end");
  });

const TEXTS = [
  '{"other": 1}',
  "progress",
  '"progress"',
  '[{"progress": 1}]',
  '{"progress": ',
  "",
  " ",
  '{"a":1}{"progress":1}',
];
for (const line of TEXTS)
  test(`${JSON.stringify(line)} is text`, () => {
    assert.deepEqual(pick([`${line}\n`]), { text: `${line}\n`, progress: [] });
  });

test("text is passed on before its line ends; a line that may be progress is buffered", () => {
  const texts: string[] = [];
  const lines = progressLines({ onProgress: () => undefined, onText: (text) => texts.push(text) });
  lines.write("Password: ");
  assert.deepEqual(texts, ["Password: "]);
  lines.write("\n{");
  assert.deepEqual(texts, ["Password: ", "\n"]);
});

test("a line without end is not buffered forever", () => {
  const piece = `{${"x".repeat(1000)}`;
  let longest = 0;
  const lines = progressLines({
    onProgress: () => undefined,
    onText: (text) => (longest = Math.max(longest, text.length)),
  });
  for (let count = 0; count < 10_000; count += 1) lines.write(piece);
  assert.ok(longest < 100_000, String(longest));
});

test("in chunks of any size the same progress is extracted and the rest is unchanged", () => {
  const line = fc.oneof(
    fc.constantFrom(...Object.keys(LINES), ...TEXTS),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll("\n", "")),
  );
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(400)), (lines, cuts) => {
      const whole = lines.map((one) => `${one}\n`).join("");
      const places = [
        0,
        ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
        whole.length,
      ];
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      assert.deepEqual(pick(pieces), pick([whole]));
      const isProgress = (one: string): boolean => Object.hasOwn(LINES, one);
      assert.equal(
        pick([whole]).text,
        lines
          .filter((one) => !isProgress(one))
          .map((one) => `${one}\n`)
          .join(""),
      );
    }),
  );
});
