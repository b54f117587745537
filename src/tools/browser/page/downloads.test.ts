import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Download } from "playwright-core";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createDownloads } from "./downloads.ts";

interface Sent {
  readonly isRefused?: (path: string) => boolean;
  readonly bytes?: number;
}

/** Saves files that a page sends under the names given, and returns the notes. */
async function saveAll(
  t: TestContext,
  names: readonly string[],
  { isRefused = () => false, bytes = 4 }: Sent = {},
): Promise<{ readonly root: string; readonly notes: readonly string[] }> {
  const root = temporaryFolder(t);
  const notes: string[] = [];
  const downloads = createDownloads({ root, isRefused, onNote: (note) => notes.push(note) });
  for (const name of names) {
    const file = join(temporaryFolder(t), "sent");
    writeFileSync(file, "1,2\n");
    truncateSync(file, bytes);
    downloads.add({ path: async () => file, suggestedFilename: () => name } as unknown as Download);
    await downloads.settle();
    assert.ok(!existsSync(file), "nothing is left in the browser's folder");
  }
  assert.equal(downloads.count(), names.length);
  return { root, notes };
}

test("a download gets a name without folders that no file has", async (t) => {
  const { root, notes } = await saveAll(t, ["../../a b.csv", "../../a b.csv", ".profile", "\u202Egnp.exe"]);
  assert.deepEqual(notes, [
    "downloaded downloads/_.._a b.csv (4 bytes)",
    "downloaded downloads/_.._a b-1.csv (4 bytes)",
    "downloaded downloads/profile (4 bytes)",
    "downloaded downloads/_gnp.exe (4 bytes)",
  ]);
  assert.equal(readFileSync(join(root, "downloads/_.._a b-1.csv"), "utf8"), "1,2\n");
});

test("a path that a rule denies is not written, and the note says so", async (t) => {
  const { root, notes } = await saveAll(t, ["a.exe"], { isRefused: (path) => path.endsWith(".exe") });
  assert.deepEqual(notes, [
    "a.exe was not saved: a rule denies writing downloads/a.exe or requires approval for it",
  ]);
  assert.ok(!existsSync(join(root, "downloads")));
});

test("a file that is too large is not saved", async (t) => {
  const { notes } = await saveAll(t, ["a.iso"], { bytes: 101 * 1024 * 1024 });
  assert.match(notes.join(), /a\.iso was not saved: it has 105906176 bytes, and 100 MB is the limit/);
});

test("nothing is saved through a folder downloads that is a link", async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, ".git"));
  symlinkSync(".git", join(root, "downloads"));
  const notes: string[] = [];
  const downloads = createDownloads({ root, isRefused: () => false, onNote: (note) => notes.push(note) });
  const file = join(root, "sent");
  writeFileSync(file, "1");
  downloads.add({ path: async () => file, suggestedFilename: () => "hook" } as unknown as Download);
  await downloads.settle();
  assert.deepEqual(notes, ["the download of hook failed: the folder downloads is a link to another"]);
  assert.ok(!existsSync(join(root, ".git/hook")));
});
