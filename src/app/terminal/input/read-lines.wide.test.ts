import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readLines, type InputLine } from "./read-stdin.ts";

async function all(chunks: readonly Uint8Array[], maxBytes = 1000): Promise<readonly InputLine[]> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  const lines: InputLine[] = [];
  for await (const line of readLines(stream(), maxBytes)) lines.push(line);
  return lines;
}

test("lines are the same however the stream is cut, characters of several bytes included", async () => {
  const texts = fc.array(fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\n")));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const expected = lines.map((text) => ({ text: text.toWellFormed() }));
      assert.deepEqual(await all(chunks, 10_000), expected);
    }),
  );
});

test("a last line without a line break is a line", async () => {
  assert.deepEqual(await all([Buffer.from("a\nb")]), [{ text: "a" }, { text: "b" }]);
});

test("a line over the limit is passed over and the next one is read", async () => {
  const lines = await all([
    Buffer.from("x".repeat(600)),
    Buffer.from("x".repeat(600)),
    Buffer.from("\nnext\n"),
  ]);
  assert.deepEqual(lines, [{ fault: "it is 1200 bytes long, over the limit of 1000" }, { text: "next" }]);
});

test("bytes that are not UTF-8 are a fault of their line only", async () => {
  const lines = await all([Buffer.from([0xc3, 0x28, 0x0a, 0x61, 0x0a])]);
  assert.deepEqual(lines, [{ fault: "it is not UTF-8 text" }, { text: "a" }]);
});
