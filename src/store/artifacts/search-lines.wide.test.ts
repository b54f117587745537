import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { createMemoryArtifacts } from "../in-memory.ts";
import { createLineSearch } from "./search-lines.ts";
import { runs } from "../../../test/support/property-runs.ts";

for (const [pattern, text] of [
  [/a{20000}c/, "a".repeat(200_000)],
  [/^\r*b/m, "\r".repeat(100_000)],
] as const)
  test(`${pattern.source} takes too long in a long line, and is refused`, async () => {
    const artifacts = createMemoryArtifacts();
    const writer = artifacts.create();
    await writer.write(text);
    const { id } = await writer.close();
    await assert.rejects(artifacts.search(id, pattern, 1), {
      code: "INVALID_INPUT",
      message: `the pattern ${pattern.source} takes too long`,
    });
  });

test("in chunks of any size the same lines are found as in the whole text", () => {
  const line = fc.record({
    before: fc.constantFrom(0, 1, 20, 65_530, 65_536, 70_000, 150_000),
    word: fc.constantFrom("", "needle", "💥needle", "needle\r"),
    after: fc.constantFrom(0, 1, 20, 65_530, 61_440, 70_000, 150_000),
    shift: fc.nat(12),
  });
  const patterns = fc.constantFrom(
    /needle/,
    /^needle/,
    /needle$/,
    /^💥?needle$/u,
    /^$/,
    /\bneedle/,
    /(?<=é)needle/,
  );
  const sizes = fc.array(fc.constantFrom(1, 7, 4096, 65_536, 65_537, 70_001, 262_144), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), patterns, sizes, (lines, pattern, chunkSizes) => {
      const texts = lines.map(
        ({ before, word, after, shift }) => "-".repeat(shift) + "é".repeat(before) + word + "-".repeat(after),
      );
      const whole = texts.map((text) => `${text}\n`).join("");
      const search = createLineSearch(pattern, { start: 0, limit: 100 });
      for (const chunk of cut(Buffer.from(whole), chunkSizes)) search.push(chunk);
      search.end();
      const expected = texts.flatMap((text, index) => {
        const start = Buffer.byteLength(texts.slice(0, index).join("\n")) + (index === 0 ? 0 : 1);
        return pattern.test(text.replace(/\r$/, "")) ? [{ line: index + 1, start }] : [];
      });
      assert.deepEqual(
        search.matches.map((match) => ({ line: match.line, start: match.start })),
        expected,
      );
      assert.equal(search.breaks(), texts.length);
    }),
    { numRuns: runs(150) },
  );
});

test("a match is found where two pieces of a long line meet, and no anchor matches there", () => {
  const chunk = 70_000;
  const near = (place: number): readonly number[] =>
    Array.from({ length: 24 }, (_, index) => place - 12 + index);
  for (const start of [...near(chunk), ...near(chunk - 4096)]) {
    const bytes = Buffer.from(`${"-".repeat(start)}needle${"-".repeat(chunk)}\n`);
    const count = (pattern: RegExp): number => {
      const search = createLineSearch(pattern, { start: 0, limit: 10 });
      for (const piece of cut(bytes, [chunk])) search.push(piece);
      search.end();
      return search.matches.length;
    };
    assert.equal(count(/needle/), 1, `at ${start}`);
    assert.equal(count(/needle$/), 0, `$ at ${start}`);
    for (const text of ["needle", "eedle", "e", "dle-"]) {
      assert.equal(count(new RegExp(`^${text}`)), 0, `^${text} at ${start}`);
    }
  }
});

test("a match in a long line is shown with its context, in whole characters", () => {
  const search = createLineSearch(/needle/, { start: 0, limit: 1 });
  search.push(Buffer.from(`${"💥".repeat(50_000)}needle${"💥".repeat(50_000)}\n`));
  const [match] = search.matches;
  assert.match(match?.text ?? "", /^…(💥){99,100}needle(💥){390,400}…$/u);
});

test("a full search stops matching but keeps counting lines", () => {
  const search = createLineSearch(/a/, { start: 0, limit: 1 });
  search.push(Buffer.from("a\na\nb\n"));
  search.end();
  assert.deepEqual([search.matches.length, search.isFull(), search.breaks()], [1, true, 3]);
});

/** Cuts by the sizes in turn. */
function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  // Tiny chunks of a large text would take too long.
  const least = bytes.length > 100_000 ? 1000 : 1;
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = Math.max(least, sizes[turn % sizes.length] ?? 1);
    yield bytes.subarray(from, from + size);
    from += size;
  }
}
