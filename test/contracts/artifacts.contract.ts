import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { ErrorCode } from "../../src/core/errors.ts";
import type { Artifacts, ArtifactSlice } from "../../src/core/store/artifacts.ts";

export interface ArtifactsUnderTest extends AsyncDisposable {
  readonly artifacts: Artifacts;
}

/** Options of the artifacts under test; default: those of the implementation. */
export interface ArtifactLimits {
  readonly maxBytes?: number;
  readonly maxTotalBytes?: number;
}

/** The contract of every implementation of artifacts. */
export function artifactsContract(
  name: string,
  open: (limits?: ArtifactLimits) => Promise<ArtifactsUnderTest>,
  numRuns = 60,
): void {
  describe(`artifacts contract: ${name}`, () => {
    test("a text written in chunks is read back whole", async () => {
      await using opened = await open();
      const info = await write(opened.artifacts, ["one\n", "", "two\n", "three"]);
      assert.deepEqual([info.size, info.dropped], [13, 0]);
      assert.deepEqual(await opened.artifacts.info(info.id), info);
      assert.equal(await readAll(opened.artifacts, info.id), "one\ntwo\nthree");
    });

    test("an empty artifact is read as empty", async () => {
      await using opened = await open();
      const { id, size } = await write(opened.artifacts, []);
      assert.equal(size, 0);
      assert.deepEqual(await opened.artifacts.read(id, 0, 100), { text: "", start: 0, end: 0, size: 0 });
      assert.deepEqual(await opened.artifacts.search(id, /^/, 10), []);
    });

    test("an id that was never issued is unknown, whatever path it contains", async () => {
      await using opened = await open();
      const { id } = await write(opened.artifacts, ["text"]);
      const ids = ["", "../../etc/passwd", "/etc/passwd", `../artifacts/${id}`, `${id}.txt`, `${id}\n`];
      for (const unknown of [...ids, id.toUpperCase(), "\0", "__proto__", id.slice(0, -1)]) {
        assert.equal(await opened.artifacts.info(unknown), undefined, unknown);
        assert.equal(await opened.artifacts.read(unknown, 0, 10), undefined, unknown);
        assert.equal(await opened.artifacts.search(unknown, /./, 10), undefined, unknown);
      }
    });

    test("ids differ and cannot be guessed from one another", async () => {
      await using opened = await open();
      const ids = new Set<string>();
      for (let count = 0; count < 50; count++) ids.add((await write(opened.artifacts, ["x"])).id);
      assert.equal(ids.size, 50);
      for (const id of ids) assert.match(id, /^[\w-]{20,}$/);
    });

    test("closing a writer twice gives one artifact, and later text is ignored", async () => {
      await using opened = await open();
      const writer = opened.artifacts.create();
      await writer.write("text");
      const [first, second] = await Promise.all([writer.close(), writer.close()]);
      await writer.write(" more");
      assert.deepEqual(first, second);
      assert.equal(await readAll(opened.artifacts, writer.id), "text");
    });

    test("a slice begins and ends on character boundaries and always advances", async () => {
      await using opened = await open();
      const { id, size } = await write(opened.artifacts, ["aé€💥z"]);
      assert.equal(size, 11);
      const slice = (start: number, length: number): Promise<ArtifactSlice | undefined> =>
        opened.artifacts.read(id, start, length);
      assert.deepEqual(await slice(0, 4), { text: "aé", start: 0, end: 3, size });
      assert.deepEqual(await slice(4, 4), { text: "€", start: 3, end: 6, size });
      assert.deepEqual(await slice(6, 1), { text: "💥", start: 6, end: 10, size });
      assert.deepEqual(await slice(9, 2), { text: "💥z", start: 6, end: 11, size });
      assert.deepEqual(await slice(11, 5), { text: "", start: 11, end: 11, size });
      assert.deepEqual(await slice(99, 5), { text: "", start: 11, end: 11, size });
      assert.deepEqual(await slice(0, 0), { text: "", start: 0, end: 0, size });
      assert.deepEqual(await slice(-5, 1), { text: "a", start: 0, end: 1, size });
      assert.deepEqual(await slice(Number.NaN, Infinity), { text: "aé€💥z", start: 0, end: 11, size });
    });

    test("a character split over two chunks stays one; half a character alone is replaced", async () => {
      await using opened = await open();
      const { id } = await write(opened.artifacts, ["a\ud83d", "", "\udca5b", "\ud83d", "c", "\ud83d"]);
      assert.equal(await readAll(opened.artifacts, id), "a💥b\ufffdc\ufffd");
    });

    test("over the size limit the middle is dropped, and the gap is marked", async () => {
      await using opened = await open({ maxBytes: 20 });
      const { id, ...info } = await write(opened.artifacts, ["0123456789", "-".repeat(75), "abcdefghij"]);
      assert.deepEqual([info.size, info.dropped], [95, 75]);
      const notice = "[… 75 bytes dropped …]\n";
      const slice = (start: number, length: number): Promise<ArtifactSlice | undefined> =>
        opened.artifacts.read(id, start, length);
      assert.deepEqual(await slice(0, 10), { text: "0123456789", start: 0, end: 10, size: 95 });
      assert.deepEqual(await slice(8, 5), { text: `89\n${notice}abc`, start: 8, end: 88, size: 95 });
      assert.deepEqual(await slice(10, 2), { text: `${notice}ab`, start: 10, end: 87, size: 95 });
      assert.deepEqual(await slice(50, 2), { text: `${notice}ab`, start: 10, end: 87, size: 95 });
      assert.deepEqual(await slice(85, 2), { text: "ab", start: 85, end: 87, size: 95 });
      assert.equal(await readAll(opened.artifacts, id, 3), `0123456789\n${notice}abcdefghij`);
    });

    test("the head and the tail of any text are stored, in chunks of any size", async () => {
      await using opened = await open({ maxBytes: 64 });
      const pieces = fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(pieces, fc.integer({ min: 1, max: 50 }), async (texts, step) => {
          const whole = texts.join("");
          const bytes = Buffer.from(whole);
          const { id, size, dropped } = await write(opened.artifacts, texts);
          assert.equal(size, bytes.length);
          const read = await readAll(opened.artifacts, id, step);
          if (bytes.length <= 64) return assert.equal(read, whole);
          const [head = "", tail = ""] = read.split(`[… ${dropped} bytes dropped …]\n`);
          assert.ok(dropped >= bytes.length - 64 && dropped <= bytes.length - 64 + 6, `${dropped}`);
          assert.ok(whole.startsWith(head.slice(0, -1)) && Buffer.byteLength(head) >= 29, head);
          assert.ok(whole.endsWith(tail) && Buffer.byteLength(tail) >= 29, tail);
        }),
        { numRuns },
      );
    });

    test("lines that contain a pattern are found with their number and offset", async () => {
      await using opened = await open();
      const { id } = await write(opened.artifacts, ["é one\r\ntw", "o\n\none more\n"]);
      const search = (pattern: RegExp, limit = 10): ReturnType<Artifacts["search"]> =>
        opened.artifacts.search(id, pattern, limit);
      assert.deepEqual(await search(/one/), [
        { line: 1, start: 0, text: "é one" },
        { line: 4, start: 13, text: "one more" },
      ]);
      assert.deepEqual(await search(/one/, 1), [{ line: 1, start: 0, text: "é one" }]);
      assert.deepEqual(await search(/ONE$/i), [{ line: 1, start: 0, text: "é one" }]);
      assert.deepEqual(await search(/^two$/), [{ line: 2, start: 8, text: "two" }]);
      assert.deepEqual(await search(/^$/), [{ line: 3, start: 12, text: "" }]);
      assert.deepEqual(await search(/nowhere/), []);
      assert.deepEqual(await search(/one/, 0), []);
    });

    test("a pattern that takes too long is refused", async () => {
      await using opened = await open();
      const { id } = await write(opened.artifacts, ["first\n", "a".repeat(5000)]);
      const endless = opened.artifacts.search(id, /(a+)+;/, 10);
      await assert.rejects(endless, { code: "INVALID_INPUT", message: "the pattern (a+)+; takes too long" });
      assert.equal((await opened.artifacts.search(id, /a+/, 10))?.length, 1);
    });

    test("a pattern that remembers where it stopped finds the same lines every time", async () => {
      await using opened = await open();
      const { id } = await write(opened.artifacts, ["ab\nb\nab\n"]);
      for (const pattern of [/b/g, /b/y]) {
        pattern.lastIndex = 1;
        for (let time = 0; time < 2; time++) {
          const found = await opened.artifacts.search(id, pattern, 10);
          assert.deepEqual(
            found?.map(({ line }) => line),
            [1, 2, 3],
          );
        }
      }
    });

    test("lines after a gap have the numbers and offsets of the whole text", async () => {
      await using opened = await open({ maxBytes: 200 });
      const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`);
      const { id } = await write(opened.artifacts, lines);
      const found = await opened.artifacts.search(id, /^line (3|499|250)$/, 10);
      const offset = Buffer.byteLength(lines.slice(0, 498).join(""));
      assert.deepEqual(found, [
        { line: 3, start: 14, text: "line 3" },
        { line: 499, start: offset, text: "line 499" },
      ]);
      assert.equal((await opened.artifacts.read(id, offset, 8))?.text, "line 499");
    });

    test("in a very long line a match is found anywhere, once, and shown with its context", async () => {
      await using opened = await open();
      const filler = "x".repeat(100_000);
      const texts = [filler, "needle", filler, filler, "💥needle", filler, "\n", "needle\n"];
      const { id } = await write(opened.artifacts, texts);
      const found = await opened.artifacts.search(id, /needle/, 10);
      assert.equal(found?.length, 2);
      assert.deepEqual([found[0]?.line, found[0]?.start, found[1]?.line], [1, 0, 2]);
      assert.match(found[0]?.text ?? "", /^…x+needlex+…$/);
      assert.ok((found[0]?.text.length ?? 0) <= 1002);
      // Anchors mean the line's own start and end, not those of the pieces it is read in.
      assert.deepEqual(await opened.artifacts.search(id, /x$/, 1).then((all) => all?.[0]?.line), 1);
      assert.deepEqual(await opened.artifacts.search(id, /^x{5}needle/, 10), []);
      assert.deepEqual(await opened.artifacts.search(id, /needle$/, 10), [
        { line: 2, start: 400_017, text: "needle" },
      ]);
    });

    test("a match is found wherever in a long line it begins", async () => {
      await using opened = await open();
      for (let start = 65_530; start < 65_542; start++) {
        const { id } = await write(opened.artifacts, ["-".repeat(start), "needle", "-".repeat(300_000)]);
        assert.equal((await opened.artifacts.search(id, /needle/, 1))?.length, 1, `at ${start}`);
      }
    });

    test("over the total size limit the oldest artifacts are removed and the newest stays", async () => {
      await using opened = await open({ maxBytes: 4000, maxTotalBytes: 10_000 });
      const ids: string[] = [];
      for (let count = 0; count < 8; count++)
        ids.push((await write(opened.artifacts, ["x".repeat(3000)])).id);
      const infos = await Promise.all(ids.map((id) => opened.artifacts.info(id)));
      const there = infos.map((info) => info !== undefined);
      assert.deepEqual([there[0], there.at(-1)], [false, true]);
      assert.ok(there.filter(Boolean).length * 3000 <= 10_000, there.join());
      assert.equal(there.indexOf(true), there.lastIndexOf(false) + 1, "only the newest are opened");
      assert.equal(await opened.artifacts.read(ids[0] ?? "", 0, 10), undefined);
    });

    test("many writers at once keep their texts apart", async () => {
      await using opened = await open();
      const letters = Array.from("abcdefghijklmnop");
      const infos = await Promise.all(
        letters.map((letter) =>
          write(
            opened.artifacts,
            Array.from({ length: 50 }, () => letter.repeat(1000)),
          ),
        ),
      );
      for (const [index, { id }] of infos.entries()) {
        assert.equal(await readAll(opened.artifacts, id), letters[index]?.repeat(50_000));
      }
    });

    test("a caller that never waits loses nothing", async () => {
      await using opened = await open();
      const writer = opened.artifacts.create();
      const pieces = Array.from({ length: 3000 }, (_, index) => `${index} `.repeat(500));
      const waits = pieces.map((piece) => writer.write(piece));
      const { size } = await writer.close();
      assert.equal(size, pieces.join("").length);
      for (const wait of waits) await wait;
      assert.equal(await readAll(opened.artifacts, writer.id, 1_000_000), pieces.join(""));
    });

    test("once closed, nothing more can be created", async () => {
      await using opened = await open();
      await opened.artifacts.close();
      assert.throws(() => opened.artifacts.create(), { code: "UNAVAILABLE" satisfies ErrorCode });
      await opened.artifacts.close();
    });
  });
}

export async function write(
  artifacts: Artifacts,
  texts: readonly string[],
): Promise<Awaited<ReturnType<ReturnType<Artifacts["create"]>["close"]>>> {
  const writer = artifacts.create();
  for (const text of texts) await writer.write(text);
  return writer.close();
}

/** Pages through the whole, as a model would. */
export async function readAll(artifacts: Artifacts, id: string, step = 1000): Promise<string> {
  let text = "";
  for (let offset = 0; ;) {
    const slice = await artifacts.read(id, offset, step);
    assert.ok(slice !== undefined, `${id} is not there`);
    text += slice.text;
    if (slice.end >= slice.size) return text;
    assert.ok(slice.end > offset, "reading must get on");
    offset = slice.end;
  }
}
