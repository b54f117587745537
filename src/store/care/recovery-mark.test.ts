import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { filled, PAGE, record } from "../../../test/support/files/filled-store.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { recoverStore } from "./recover-store.ts";
import { beginRecovery } from "./recovery-mark.ts";

test("a recovery that was interrupted before the new store was in place begins again with all that there was", async (t) => {
  const { folder, store } = await filled(t);
  await record(store, 4, 20);
  await store.close();
  const path = join(folder, "toolwright.db");
  const damaged = readFileSync(path).fill(0xee, 0, PAGE);
  const aside = join(folder, "damaged-earlier");
  // As it is where files have links; and where they have none, so that the damaged database is there twice.
  for (const put of [linkSync, copyFileSync]) {
    writeFileSync(path, damaged);
    writeFileSync(join(folder, "recovering.json"), JSON.stringify({ aside: "damaged-earlier" }));
    mkdirSync(aside);
    put(path, join(aside, "toolwright.db"));
    writeFileSync(`${path}.recovering`, "the new one");
    assert.equal((await checkStore(folder)).unfinishedRecovery, null);
    const again = await recoverStore(folder);
    assert.equal(again.calls, 20, put.name);
    assert.deepEqual([aside, `${path}.recovering`].filter(existsSync), []);
    rmSync(again.aside, { recursive: true });
  }
});

test("a recovery that cannot put the new store in place leaves the damaged one as it was", async (t) => {
  const { folder, store } = await filled(t);
  await store.close();
  const before = [readdirSync(folder), readFileSync(join(folder, "toolwright.db"))];
  // No folder takes the place of a file.
  const staged = join(folder, "toolwright.db.recovering");
  mkdirSync(staged);
  await assert.rejects(beginRecovery(folder), { code: "ENOTDIR" });
  rmSync(staged, { recursive: true });
  assert.deepEqual([readdirSync(folder), readFileSync(join(folder, "toolwright.db"))], before);
});

test("a recovery of a folder that is not there makes none", async (t) => {
  const folder = join(temporaryFolder(t), "nothing");
  await assert.rejects(recoverStore(folder), { code: "INVALID_INPUT", message: /there is no store/ });
  assert.equal(existsSync(folder), false);
});

test("a copy into the folder of the store is refused under each of its names", async (t) => {
  const { folder, store } = await filled(t);
  await store.close();
  const link = join(temporaryFolder(t), "link");
  symlinkSync(folder, link);
  for (const [from, to] of [
    [folder, link],
    [link, folder],
    [link, link],
  ] as const)
    await assert.rejects(backupStore(from, join(to, "copy")), { message: /is in the folder of the store/ });
  assert.equal(existsSync(join(folder, "copy")), false);
});

test("a mark that names a folder elsewhere is not believed: nothing there is removed or read", async (t) => {
  const { folder, store } = await filled(t);
  await store.close();
  const other = join(folder, "..", "damaged-other");
  mkdirSync(other);
  writeFileSync(join(other, "file"), "");
  for (const aside of [other, "../damaged-other", "..", ""]) {
    writeFileSync(join(folder, "recovering.json"), JSON.stringify({ aside }));
    assert.equal((await checkStore(folder)).unfinishedRecovery, null);
    await assert.rejects(recoverStore(folder), /is not damaged/);
    assert.ok(existsSync(join(other, "file")), aside);
  }
});
