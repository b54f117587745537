import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { headOf, readLines, type LineRange, type LineSlice } from "./lines.ts";
import { readStart } from "./kind.ts";
import { runs } from "../../../test/support/property-runs.ts";

const RANGE: Omit<LineRange, "start" | "size"> = {
  startLine: 1,
  maxLines: 1000,
  maxBytes: 1_000_000,
  maxLineCharacters: 1000,
  countBytes: 1_000_000,
  signal: new AbortController().signal,
};

function reader(
  context: TestContext,
): (content: string | Buffer, range?: Partial<LineRange>) => Promise<LineSlice> {
  const path = join(temporaryFolder(context), "file");
  return async (content, range) => {
    writeFileSync(path, content);
    const handle = await open(path);
    try {
      const stats = await handle.stat();
      const { start } = await readStart({ handle, stats, checkedAt: Date.now() });
      return await readLines(handle, { ...RANGE, start, size: stats.size, ...range });
    } finally {
      await handle.close();
    }
  };
}

const texts = (slice: LineSlice): readonly string[] => slice.lines.map((line) => line.text);

test("lines end with LF, CRLF or the file; a byte order mark is not part of the first line", async (context) => {
  const read = reader(context);
  assert.deepEqual(texts(await read("a\nb")), ["a", "b"]);
  assert.deepEqual(texts(await read("a\nb\n")), ["a", "b"]);
  assert.deepEqual(texts(await read("a\r\nb\r\n\r\n")), ["a", "b", ""]);
  assert.deepEqual(texts(await read("\n\n")), ["", ""]);
  assert.deepEqual(texts(await read("")), []);
  assert.deepEqual(texts(await read("\uFEFFa")), ["a"]);
  assert.deepEqual(texts(await read(Buffer.from("ä ö ü \xff\n").fill(0xff, 9, 10))), ["ä ö ü \uFFFD\uFFFD"]);
});

test("a range gives the same lines as splitting the whole text, across chunks", async (context) => {
  const read = reader(context);
  const word = fc.constantFrom("", "a", "ü", "😀", "x".repeat(40_000), "日".repeat(30_000));
  const file = fc.array(word, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 5 }),
      async (...args) => {
        const [lines, startLine, maxLines] = args;
        const slice = await read(`${lines.join("\n")}\n`, { startLine, maxLines, maxLineCharacters: 50_000 });
        assert.deepEqual(texts(slice), lines.slice(startLine - 1, startLine - 1 + maxLines));
        assert.equal(slice.seenLines, lines.length);
        assert.equal(slice.seenCharacters, lines.join("\n").length + 1);
        assert.equal(slice.ended, true);
      },
    ),
    { numRuns: runs(60) },
  );
});

test("a long line is cut between characters and reports its length", async (context) => {
  const read = reader(context);
  const { lines } = await read(`${"😀".repeat(400)}\nshort`, { maxLineCharacters: 101 });
  assert.deepEqual(lines, [{ text: "😀".repeat(50), cutFrom: 1600 }, { text: "short" }]);
});

test("reading stops soon after the range and reports that it did not reach the end", async (context) => {
  const read = reader(context);
  const slice = await read("line\n".repeat(200_000), { maxLines: 3, countBytes: 0 });
  assert.equal(slice.lines.length, 3);
  assert.equal(slice.ended, false);
  assert(slice.seenLines < 60_000, String(slice.seenLines));
});

test("no more lines are returned than maxBytes allows", async (context) => {
  const read = reader(context);
  const slice = await read("12345\n".repeat(100), { maxBytes: 20 });
  assert.equal(slice.lines.length, 4);
  assert.equal(slice.seenLines, 100);
});

test("an aborted signal rejects with its reason", async (context) => {
  const read = reader(context);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(read("a", { signal }), /enough/);
});

test("the head of a text never splits a character", () => {
  assert.equal(headOf("a😀b", 2), "a");
  assert.equal(headOf("a😀b", 3), "a😀");
  assert.equal(headOf("ab", 2), "ab");
});

test("the encoding is detected even if only later lines show it", async (context) => {
  const read = reader(context);
  const bigEndian = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
  const cases: readonly (readonly [Buffer, string])[] = [
    [Buffer.from("été\r\nfin\n"), "utf-8"],
    [Buffer.from("\uFEFFété\r\nfin\n"), "utf-8-bom"],
    [Buffer.from("\uFEFFété\r\nfin\n", "utf16le"), "utf-16le"],
    [Buffer.from("été\r\nfin\n", "utf16le"), "utf-16le"],
    [bigEndian("\uFEFFété\r\nfin\n"), "utf-16be"],
    [Buffer.from("\xe9t\xe9\r\nfin\n", "latin1"), "latin-1"],
  ];
  for (const [bytes, encoding] of cases) {
    const slice = await read(bytes);
    assert.deepEqual([slice.encoding, texts(slice)], [encoding, ["été", "fin"]]);
    assert.equal(slice.seenCharacters, 9, encoding);
  }
  const late = Buffer.from(`${"plain\n".repeat(100_000)}\x93caf\xe9\x94\n`, "latin1");
  const slice = await read(late, { startLine: 100_000 });
  assert.deepEqual([slice.encoding, texts(slice)], ["windows-1252", ["plain", "“café”"]]);
});

test("UTF-16 gives the same lines as UTF-8, across chunks", async (context) => {
  const read = reader(context);
  const text = Array.from({ length: 30_000 }, (_, index) => `😀 ${index} ${"ü".repeat(index % 20)}`).join(
    "\n",
  );
  const range = { startLine: 25_000, maxLines: 100 };
  const wanted = await read(text, range);
  const found = await read(Buffer.from(`\uFEFF${text}`, "utf16le"), range);
  assert.deepEqual(found, { ...wanted, encoding: "utf-16le" });
});
