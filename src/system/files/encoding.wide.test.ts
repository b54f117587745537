import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createUtf16Reader, decodeText, detectEncoding, markLength, type Encoding } from "./encoding.ts";

const bigEndian = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

test("the encoding is detected from the first bytes", () => {
  const cases: readonly (readonly [string, Buffer, Encoding | undefined])[] = [
    ["nothing", Buffer.alloc(0), "utf-8"],
    ["ASCII", Buffer.from("plain"), "utf-8"],
    ["UTF-8", Buffer.from("naïve 日本 😀"), "utf-8"],
    ["UTF-8 cut in a character", Buffer.from(`${"x".repeat(8190)}😀`).subarray(0, 8192), "utf-8"],
    ["Latin-1 cut after a letter", Buffer.from(`caf\xe9${"x".repeat(8188)}`, "latin1"), "latin-1"],
    ["Latin-1 that ends with a letter", Buffer.from("caf\xe9", "latin1"), "latin-1"],
    ["UTF-8 with one broken byte", Buffer.from([0xff, ...Buffer.from("ä ö ü ß")]), "utf-8"],
    ["UTF-8 with a mark", Buffer.from("\ufeffx"), "utf-8-bom"],
    ["UTF-16 LE with a mark", Buffer.from("\ufeff日本", "utf16le"), "utf-16le"],
    ["UTF-16 BE with a mark", bigEndian("\ufeff日本"), "utf-16be"],
    ["UTF-16 LE", Buffer.from("hello\r\nwörld", "utf16le"), "utf-16le"],
    ["UTF-16 BE", bigEndian("hello\r\nwörld"), "utf-16be"],
    ["Latin-1", Buffer.from("caf\xe9 \xfcber", "latin1"), "latin-1"],
    ["Windows-1252", Buffer.from("\x93caf\xe9\x94 \x80 5", "latin1"), "windows-1252"],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), undefined],
    ["a program", Buffer.from("\x7fELF\x02\x01\x01\0\0\0", "latin1"), undefined],
    ["zeros", Buffer.alloc(64), undefined],
    ["16-bit numbers", Buffer.from([1, 0, 2, 0, 3, 0, 4, 0, 5, 0]), undefined],
    ["compressed", Buffer.from([0x1f, 0x8b, 0x08, 0x08, 0xa3, 0x11, 0x99, 0xe0]), undefined],
    ["bytes that mean nothing in Windows-1252", Buffer.from([0x82, 0xa0, 0x81, 0x45]), undefined],
  ];
  for (const [what, bytes, expected] of cases) assert.equal(detectEncoding(bytes), expected, what);
});

test("the detected encoding is the one the text was written in", () => {
  const text = "“Smart” – café €5 naïve\n".repeat(3);
  const windows = Buffer.from(
    text.replaceAll(/[“”–€]/g, (one) => ({ "“": "\x93", "”": "\x94", "–": "\x96", "€": "\x80" })[one] ?? one),
    "latin1",
  );
  assert.equal(decodeText(windows, "windows-1252"), text);
  assert.equal(decodeText(Buffer.from("caf\xe9", "latin1"), "latin-1"), "café");
  assert.equal(decodeText(bigEndian("日本"), "utf-16be"), "日本");
  assert.equal(decodeText(Buffer.from("日本", "utf16le"), "utf-16le"), "日本");
  assert.equal(decodeText(Buffer.from("日本"), "utf-8"), "日本");
});

test("the length of the byte order mark is correct", () => {
  assert.equal(markLength("utf-8-bom", Buffer.from("\ufeffx")), 3);
  assert.equal(markLength("utf-16le", Buffer.from("\ufeffx", "utf16le")), 2);
  assert.equal(markLength("utf-16le", Buffer.from("xy", "utf16le")), 0);
  assert.equal(markLength("utf-8", Buffer.from("xy")), 0);
});

test("UTF-16 read in any chunks is the same text", () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), pieces, fc.boolean(), (text, sizes, isBig) => {
      const bytes = isBig ? bigEndian(text) : Buffer.from(text, "utf16le");
      const read = createUtf16Reader(isBig ? "utf-16be" : "utf-16le");
      const parts: Buffer[] = [];
      for (let at = 0, index = 0; at < bytes.length; index += 1) {
        const size = sizes[index % sizes.length] ?? 1;
        parts.push(read(bytes.subarray(at, at + size)));
        at += size;
      }
      assert.equal(Buffer.concat(parts).toString(), text);
    }),
  );
});
