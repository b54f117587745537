import assert from "node:assert/strict";
import type { Artifacts } from "../../../../core/store/artifacts.ts";
import { write, type OpenArtifacts } from "./artifact-texts.ts";
import type { Cases } from "./kit.ts";

/** How every store of artifacts is searched. */
export const SEARCHES: Cases<OpenArtifacts> = {
  "lines that contain a pattern are found with their number and offset": async ({ open }) => {
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
  },

  "a pattern that takes too long is refused": async ({ open }) => {
    await using opened = await open();
    const { id } = await write(opened.artifacts, ["first\n", "a".repeat(5000)]);
    const endless = opened.artifacts.search(id, /(a+)+;/, 10);
    await assert.rejects(endless, { code: "INVALID_INPUT", message: "the pattern (a+)+; takes too long" });
    assert.equal((await opened.artifacts.search(id, /a+/, 10))?.length, 1);
  },

  "a pattern that remembers where it stopped finds the same lines every time": async ({ open }) => {
    await using opened = await open();
    const { id } = await write(opened.artifacts, ["ab\nb\nab\n"]);
    for (const pattern of [/b/g, /b/y]) {
      pattern.lastIndex = 1;
      for (let time = 0; time < 2; time++) {
        const hits = await opened.artifacts.search(id, pattern, 10);
        assert.deepEqual(
          hits?.map(({ line }) => line),
          [1, 2, 3],
        );
      }
    }
  },

  "in a very long line a match is found anywhere, once, and shown with its context": async ({ open }) => {
    await using opened = await open();
    const filler = "x".repeat(100_000);
    const texts = [filler, "needle", filler, filler, "💥needle", filler, "\n", "needle\n"];
    const { id } = await write(opened.artifacts, texts);
    const hits = await opened.artifacts.search(id, /needle/, 10);
    assert.equal(hits?.length, 2);
    assert.deepEqual([hits[0]?.line, hits[0]?.start, hits[1]?.line], [1, 0, 2]);
    assert.match(hits[0]?.text ?? "", /^…x+needlex+…$/);
    assert.ok((hits[0]?.text.length ?? 0) <= 1002);
    // Anchors mean the line's own start and end, not those of the pieces it is read in.
    assert.deepEqual(await opened.artifacts.search(id, /x$/, 1).then((all) => all?.[0]?.line), 1);
    assert.deepEqual(await opened.artifacts.search(id, /^x{5}needle/, 10), []);
    assert.deepEqual(await opened.artifacts.search(id, /needle$/, 10), [
      { line: 2, start: 400_017, text: "needle" },
    ]);
  },

  "a match is found wherever in a long line it begins": async ({ open }) => {
    await using opened = await open();
    for (let start = 65_530; start < 65_542; start++) {
      const { id } = await write(opened.artifacts, ["-".repeat(start), "needle", "-".repeat(300_000)]);
      assert.equal((await opened.artifacts.search(id, /needle/, 1))?.length, 1, `at ${start}`);
    }
  },
};

/** Only for stores whose size limits can be set. */
export const LIMIT_SEARCHES: Cases<OpenArtifacts> = {
  "lines after a gap have the numbers and offsets of the whole text": async ({ open }) => {
    await using opened = await open({ maxBytes: 200 });
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`);
    const { id } = await write(opened.artifacts, lines);
    const hits = await opened.artifacts.search(id, /^line (3|499|250)$/, 10);
    const offset = Buffer.byteLength(lines.slice(0, 498).join(""));
    assert.deepEqual(hits, [
      { line: 3, start: 14, text: "line 3" },
      { line: 499, start: offset, text: "line 499" },
    ]);
    assert.equal((await opened.artifacts.read(id, offset, 8))?.text, "line 499");
  },
};
