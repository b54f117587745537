import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { untilTrue } from "../support/running.ts";
import { seed } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createEngine, defineTool } from "../../src/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import { attempt } from "../../src/util/async/attempt.ts";

const ROUNDS = 200;
const isRoot = process.getuid?.() === 0;

test(
  `answers that were told ok are in the journal after a full disk, in ${ROUNDS} random rounds`,
  { skip: isRoot ? false : "only root may mount a small disk", timeout: 1_800_000 },
  async (context) => {
    const round = fc.record({
      workers: fc.integer({ min: 2, max: 16 }),
      sizes: fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 20 }),
      refused: fc.integer({ min: 1, max: 60 }),
      roomAgain: fc.integer({ min: 0, max: 200 }),
      fills: fc.integer({ min: 1, max: 3 }),
    });
    let told = 0;
    for (const options of fc.sample(round, { numRuns: ROUNDS, seed })) {
      const mount = temporaryFolder(context);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", mount]);
      try {
        const ok = await fillAndFree(mount, options);
        told += ok.size;
        const store = await openStore({ folder: join(mount, "state") });
        const calls = await store.journal.list({ limit: 100_000 });
        await store.close();
        const stored = new Set(calls.flatMap(({ callId, answer }) => (answer?.ok === true ? [callId] : [])));
        const lost = [...ok].filter((id) => !stored.has(id));
        assert.deepEqual(lost, [], `of ${ok.size} answers, with ${JSON.stringify(options)}, seed ${seed}`);
      } finally {
        execFileSync("umount", ["-l", mount]);
      }
    }
    context.diagnostic(`${ROUNDS} rounds, ${told} answers told ok, none lost`);
  },
);

interface Round {
  readonly workers: number;
  readonly sizes: readonly number[];
  /** The calls that are refused before there is room again. */
  readonly refused: number;
  /** The calls that are answered ok after that. */
  readonly roomAgain: number;
  readonly fills: number;
}

/** Runs calls with a store on a disk that is filled and freed, closes both in order, and returns the ids of the calls that were told ok. */
async function fillAndFree(
  mount: string,
  { workers, sizes, refused, roomAgain, fills }: Round,
): Promise<ReadonlySet<string>> {
  const store = await openStore({ folder: join(mount, "state") });
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    risk: "low",
    effects: "unsafe",
    run: (_input, { call }) => "y".repeat(sizes[Number(call.id) % sizes.length] ?? 1),
  });
  const engine = createEngine({ tools: [pay], journal: store.journal, mode: "yolo" });
  const ok = new Set<string>();
  let [count, failed] = [0, 0];
  const over = new AbortController();
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      count += 1;
      const id = `${count}`;
      const result = await engine.run({ id, name: "pay", input: {} });
      if (result.ok) ok.add(id);
      else failed += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const working = Array.from({ length: workers }, work);
  for (let fill = 0; fill < fills; fill += 1) {
    const free = fillDisk(join(mount, "fill"));
    const refusedAt = failed + refused;
    await untilTrue("calls are refused", () => failed >= refusedAt);
    free();
    const okAt = ok.size + roomAgain;
    await untilTrue("calls are answered again", () => ok.size >= okAt);
  }
  over.abort();
  await Promise.all(working);
  await engine.close();
  await store.close();
  return ok;
}

/** Fills the disk; the returned function frees it. */
function fillDisk(path: string): () => void {
  closeSync(openSync(path, "a"));
  const isWritten = (bytes: number): boolean =>
    attempt(() => {
      appendFileSync(path, Buffer.alloc(bytes));
      return true;
    }) === true;
  for (let bytes = 1_048_576; bytes >= 1; bytes /= 16) while (isWritten(bytes));
  return () => rmSync(path);
}
