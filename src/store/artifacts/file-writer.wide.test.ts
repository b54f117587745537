import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { createFileWriter } from "./file-writer.ts";
import { runs } from "../../../test/support/property-runs.ts";

test("the file has the head and the newest bytes, in chunks of any size, whether the caller waits or not", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-file-writer-"));
  context.after(() => rm(folder, { recursive: true }));
  const capacity = { headBytes: 16, tailBytes: 16 };
  const pieces = fc.array(fc.record({ length: fc.integer({ min: 1, max: 40 }), waits: fc.boolean() }), {
    maxLength: 30,
  });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 64 }), async (plan, mostQueued) => {
      const path = join(folder, `${++round}`);
      const file = openSync(path, "wx+");
      const writer = createFileWriter(file, capacity, mostQueued);
      let whole = "";
      for (const { length, waits } of plan) {
        const piece = Array.from({ length }, (_, index) => LETTERS[(whole.length + index) % 62]).join("");
        whole += piece;
        writer.push(Buffer.from(piece));
        if (waits) await writer.whenReady();
      }
      await writer.finish();
      closeSync(file);
      assert.equal(readFileSync(path, "latin1"), expected(whole));
    }),
    { numRuns: runs(300) },
  );
});

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns the bytes that a head of 16 and a ring of 16 hold. */
function expected(whole: string): string {
  const places = Array.from({ length: Math.min(whole.length, 32) }, () => "");
  for (let offset = 0; offset < whole.length; offset++) {
    places[offset < 16 ? offset : 16 + ((offset - 16) % 16)] = whole[offset] ?? "";
  }
  return places.join("");
}

test(
  "a full disk is reported by finish, whether the caller waited or not",
  { skip: noDevFull() },
  async () => {
    for (const mostQueued of [1, 1_000_000]) {
      const file = openSync("/dev/full", "w");
      const writer = createFileWriter(file, { headBytes: 100, tailBytes: 100 }, mostQueued);
      writer.push(Buffer.from("text"));
      await writer.whenReady();
      writer.push(Buffer.from("more"));
      await assert.rejects(writer.finish(), { code: "ENOSPC" });
      closeSync(file);
    }
  },
);

function noDevFull(): string | false {
  return process.platform === "linux" ? false : "needs /dev/full";
}
