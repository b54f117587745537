import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { test } from "node:test";
import * as fc from "fast-check";
import { toJsonLine } from "./json-line.ts";

test("a line reader that knows other line ends finds one line with the same value", async () => {
  const value = { text: "a\u2028b\u2029c\u0085d\r\ne\u000bf\u000c", "\u2028": "\\u2028 \\\u2028" };
  const line = toJsonLine(value);
  const lines: string[] = [];
  const reader = createInterface({ input: Readable.from([line]) });
  reader.on("line", (one) => lines.push(one));
  await once(reader, "close");
  assert.deepEqual(
    lines.map((one) => JSON.parse(one) as unknown),
    [value],
  );
});

test("every value is read back, and nothing in its line ends the line", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u0085", "\u2028", "\u2029", "\\", "\n", "\r"),
  );
  fc.assert(
    fc.property(fc.array(unit), fc.jsonValue(), (pieces, more) => {
      const line = toJsonLine({ text: pieces.join(""), more });
      assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify({ text: pieces.join(""), more })));
      assert.deepEqual(line.match(/[\n\r\u0085\u2028\u2029]/g), ["\n"]);
    }),
  );
});
