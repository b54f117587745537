import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ArtifactWriter } from "../../core/store/artifacts.ts";
import { tailOf } from "../../util/text/text-ends.ts";
import { createCapture } from "./capture.ts";

interface Spill {
  readonly spill: () => ArtifactWriter;
  readonly texts: string[];
}

function spillTo(texts: string[] = []): Spill {
  return {
    texts,
    spill: () => ({
      id: "id",
      write: (text) => void texts.push(text),
      close: () => Promise.resolve({ id: "id", size: 0, dropped: 0, createdAt: 0 }),
    }),
  };
}

test("short output is stored completely, per stream and in order, and nothing is spilled", async () => {
  const { spill, texts } = spillTo();
  const capture = createCapture({ maxBytes: 10, tailBytes: 5, spill });
  await capture.write({ stream: "stdout", text: "ab" });
  await capture.write({ stream: "stderr", text: "cd" });
  await capture.write({ stream: "stdout", text: "efghij" });
  assert.deepEqual(await capture.close(), {
    all: { text: "abcdefghij", total: 10, isCut: false },
    stdout: { text: "abefghij", total: 8, isCut: false },
    stderr: { text: "cd", total: 2, isCut: false },
  });
  assert.deepEqual(texts, []);
});

test("of long output the end is stored and everything is spilled, for any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 40 }),
      async (pieces) => {
        const { spill, texts } = spillTo();
        const capture = createCapture({ maxBytes: 100, tailBytes: 50, spill });
        for (const text of pieces) await capture.write({ stream: "stdout", text });
        const { all, artifactId } = await capture.close();
        const whole = pieces.join("");
        assert.equal(all.total, whole.length);
        assert.equal(all.isCut, Buffer.byteLength(whole) > 100);
        if (!all.isCut) assert.equal(all.text, whole);
        else {
          assert.equal(artifactId, "id");
          assert.equal(texts.join(""), whole);
          assert(Buffer.byteLength(all.text) <= 50);
          assert(whole.endsWith(all.text));
        }
      },
    ),
  );
});

test("the writer's promise is returned, so that the process waits for it", async () => {
  const gate = Promise.withResolvers<void>();
  const capture = createCapture({
    maxBytes: 1,
    tailBytes: 1,
    spill: () => ({ ...spillTo().spill(), write: () => gate.promise }),
  });
  const writing = capture.write({ stream: "stdout", text: "long" });
  assert(writing instanceof Promise);
  assert.equal(await Promise.race([writing.then(() => "written"), Promise.resolve("waiting")]), "waiting");
  gate.resolve();
  await writing;
});

test("a failing writer loses the complete output and nothing else", async () => {
  const failures: readonly Partial<ArtifactWriter>[] = [
    { write: () => Promise.reject(new Error("full")) },
    {
      write: () => {
        throw new Error("full");
      },
    },
    { close: () => Promise.reject(new Error("full")) },
  ];
  for (const failure of failures) {
    const spill = (): ArtifactWriter => ({ ...spillTo().spill(), ...failure });
    const capture = createCapture({ maxBytes: 4, tailBytes: 2, spill });
    await capture.write({ stream: "stdout", text: "0123456789" });
    await capture.write({ stream: "stdout", text: "ab" });
    const { all, artifactId } = await capture.close();
    assert.deepEqual([all.text, all.total, artifactId], ["ab", 12, undefined]);
  }
});

test("without a writer, the end is still stored", async () => {
  const capture = createCapture({ maxBytes: 4, tailBytes: 2, spill: () => undefined });
  await capture.write({ stream: "stdout", text: "0123456789" });
  const { all, artifactId } = await capture.close();
  assert.equal(all.text, "89");
  assert.equal(artifactId, undefined);
});

test("a tail begins at a line start if possible, and never splits a character", () => {
  assert.equal(tailOf("one\ntwo\nthree\n", 8), "three\n");
  assert.equal(tailOf("one\ntwo\nthree", 5), "three");
  assert.equal(tailOf("one\ntwo\nthree", 9), "two\nthree");
  assert.equal(tailOf("no line here\n", 6), "here\n".padStart(6, " "));
  assert.equal(tailOf("a😀😀", 6), "😀");
  assert.equal(tailOf("short", 100), "short");
});
