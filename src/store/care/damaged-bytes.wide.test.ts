import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { runs } from "../../../test/support/property-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import { openStore } from "../open-store.ts";
import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { openPages, PAGE_BYTES } from "./database-pages.ts";
import { recoverStore } from "./recover-store.ts";
import { scanRows } from "./scan-rows.ts";

const [CALLS, DOCUMENTS] = [300, 120];

/** Creates a store with calls and documents, of which some are longer than a page. */
async function createBase(t: TestContext): Promise<string> {
  const folder = join(temporaryFolder(t), "base");
  const store = await openStore({ folder });
  for (let number = 1; number <= CALLS; number += 1) {
    const entry = store.journal.receive(call(`call-${number}`, { session: `s${number % 7}` }));
    await entry.start("none");
    await entry.settle(answer(`call-${number}`, "x".repeat(number % 50 === 0 ? 9000 : (number % 13) * 90)));
  }
  const sessions = store.collections.open("sessions");
  for (let key = 0; key < DOCUMENTS; key += 1) await sessions.set(`${key}`, { text: "y".repeat(key * 7) });
  await store.close();
  for (const ending of ["-wal", "-shm"]) rmSync(join(folder, `toolwright.db${ending}`), { force: true });
  return folder;
}

interface Damage {
  readonly kind: string;
  readonly page: number;
  readonly at: number;
  readonly value: number;
}

type Change = (bytes: Buffer, page: number, at: number, value: number) => void;

/** What happens to one page of a database. */
const CHANGES: Readonly<Record<string, Change>> = {
  "a byte": (bytes, page, at, value) => bytes.writeUInt8(bytes.readUInt8(page + at) ^ value, page + at),
  "a byte of the start": (bytes, page, at, value) =>
    bytes.writeUInt8(bytes.readUInt8(page + (at % 12)) ^ value, page + (at % 12)),
  "a byte of the header": (bytes, _page, at, value) =>
    bytes.writeUInt8(bytes.readUInt8(at % 100) ^ value, at % 100),
  "a byte of the schema": (bytes, _page, at, value) =>
    bytes.writeUInt8(bytes.readUInt8(Math.max(at, 100)) ^ value, Math.max(at, 100)),
  "all zero": (bytes, page) => bytes.fill(0, page, page + PAGE_BYTES),
  noise: (bytes, page, at, value) => {
    for (let offset = page; offset < page + PAGE_BYTES; offset += 1)
      bytes.writeUInt8((offset * (at | 1) + (offset >> 3) * value) & 0xff, offset);
  },
};

/** Returns how many rows are in each page. */
function countRows(folder: string): ReadonlyMap<number, number> {
  const pages = openPages(join(folder, "toolwright.db"));
  const counts = new Map<number, number>();
  const { rows = [] } = scanRows(pages, () => "rows");
  pages.close();
  for (const { page } of rows) counts.set(page, (counts.get(page) ?? 0) + 1);
  return counts;
}

async function countAll(folder: string) {
  await using store = await openStore({ folder });
  const calls = await store.journal.list();
  const documents = await store.collections.open("sessions").list();
  return calls.length + documents.length;
}

const hasHint = (error: unknown): boolean => error instanceof ToolError && (error.hint ?? "") !== "";

test("whatever a page of a database becomes: a check finds it or all can be read, and a recovery loses no more than the page had", async (t) => {
  const base = await createBase(t);
  const clean = readFileSync(join(base, "toolwright.db"));
  const rows = countRows(base);
  const anyDamage = fc.record({
    kind: fc.constantFrom(...Object.keys(CHANGES)),
    page: fc.nat(clean.length / PAGE_BYTES - 1),
    at: fc.nat(PAGE_BYTES - 1),
    value: fc.integer({ min: 1, max: 255 }),
  });
  let damagedCount = 0;
  const property = fc.asyncProperty(anyDamage, async ({ kind, page, at, value }) => {
    const folder = join(temporaryFolder(t), "state");
    cpSync(base, folder, { recursive: true });
    const bytes = Buffer.from(clean);
    CHANGES[kind]?.(bytes, page * PAGE_BYTES, at, value);
    writeFileSync(join(folder, "toolwright.db"), bytes);
    const { problems, isNewer } = await checkStore(folder);
    if (isNewer) return;
    if (problems.length === 0) {
      assert.equal(await countAll(folder), CALLS + DOCUMENTS);
      return;
    }
    damagedCount += 1;
    await assert.rejects(backupStore(folder, `${folder}-copy`), hasHint);
    await countAll(folder).catch((error: unknown) => assert.ok(hasHint(error), String(error)));
    // Opening it may have repaired what was damaged, such as the counts of a page that is written anew.
    await recoverStore(folder).catch((error: unknown) => assert.match(String(error), /is not damaged/));
    const after = await checkStore(folder);
    assert.deepEqual(after.problems, []);
    // A page that a row goes on in holds one row; a page that could not be read may be that of the header.
    const lost =
      kind.endsWith("header") || kind.endsWith("schema") ? 0 : Math.max(rows.get(page + 1) ?? 0, 1);
    const count = await countAll(folder);
    assert.ok(count >= CALLS + DOCUMENTS - lost, `${count} of ${CALLS + DOCUMENTS} are left`);
  });
  // The type of a leaf, and a byte in the middle of its rows.
  const examples: [Damage][] = [
    [{ kind: "a byte", page: 9, at: 0, value: 1 }],
    [{ kind: "a byte", page: 40, at: 2000, value: 1 }],
    // The version that a writer must know.
    [{ kind: "a byte of the header", page: 0, at: 18, value: 1 }],
  ];
  await fc.assert(property, {
    numRuns: runs(45),
    examples,
  });
  assert.ok(damagedCount > 0);
});
