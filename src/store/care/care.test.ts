import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { filled, idsOf, record } from "../../../test/support/files/filled-store.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createDailyCopy, dailyCopies } from "../database/daily-copy.ts";
import { openStore } from "../open-store.ts";
import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { compactStore } from "./compact-store.ts";
import { restoreStore } from "./restore-store.ts";

test("a store in use is copied with every answered call, and the copy is restored elsewhere", async (t) => {
  const { folder, store, artifact, copy } = await filled(t);
  await record(store, 4, 50);
  const open = store.journal.receive(call("open"));
  await open.start("unsafe");
  const { files } = await backupStore(folder, copy);
  assert.equal(files.length, 2);
  await record(store, 51, 60);
  await open.settle(answer("open", "done"));
  await store.close();
  const other = join(folder, "..", "other");
  assert.equal((await restoreStore(other, copy)).before, undefined);
  const restored = await openStore({ folder: other });
  t.after(() => restored.close());
  const calls = await restored.journal.list();
  assert.deepEqual(
    calls.map(({ callId, state }) => `${callId} ${state}`),
    ["open interrupted", ...Array.from({ length: 50 }, (_, index) => `call-${50 - index} answered`)],
  );
  assert.deepEqual(await restored.collections.open("memory").get("m"), "remembered");
  assert.equal((await restored.artifacts.read(artifact, 0, 100))?.text, "a long answer");
});

test("a restore leaves the store that was there in a folder, and changes nothing if the copy is damaged", async (t) => {
  const { folder, store, copy } = await filled(t);
  await backupStore(folder, copy);
  await record(store, 4, 5);
  await assert.rejects(restoreStore(folder, copy), { code: "UNAVAILABLE", message: /in use by process/ });
  await store.close();
  for (const file of [
    "toolwright.db",
    readdirSync(join(copy, "artifacts")).map((name) => `artifacts/${name}`)[0] ?? "",
  ]) {
    const damaged = join(folder, "..", `damaged-${file.replace("/", "-")}`);
    cpSync(copy, damaged, { recursive: true });
    const bytes = readFileSync(join(damaged, file));
    bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0);
    writeFileSync(join(damaged, file), bytes);
    await assert.rejects(restoreStore(folder, damaged), { code: "INVALID_INPUT", message: /was changed/ });
  }
  await assert.rejects(restoreStore(folder, join(folder, "..")), /no backup of a store/);
  assert.equal((await idsOf(folder)).length, 5);
  const { before = "" } = await restoreStore(folder, copy);
  assert.equal((await idsOf(folder)).length, 3);
  assert.equal((await idsOf(before)).length, 5);
});

test("a copy whose manifest names files outside a store is refused", async (t) => {
  const { folder, store, copy } = await filled(t);
  await store.close();
  const manifest = await backupStore(folder, copy);
  const paths = ["../../escaped", "/tmp/escaped", "artifacts/../../x.txt", "artifacts/notes.txt"];
  for (const path of paths) {
    const files = [...manifest.files, { path, bytes: 0, sha256: "" }];
    writeFileSync(join(copy, "manifest.json"), JSON.stringify({ ...manifest, files }));
    await assert.rejects(restoreStore(folder, copy), {
      code: "INVALID_INPUT",
      message: /is no file of a store/,
    });
  }
});

test("a copy without a database, with a pipe or of another size is refused, and nothing is changed", async (t) => {
  const { folder, store, copy } = await filled(t);
  await store.close();
  const manifest = await backupStore(folder, copy);
  const [database, artifact] = manifest.files;
  assert.ok(database !== undefined && artifact !== undefined);
  const refuses = async (changes: object, message: RegExp): Promise<void> => {
    writeFileSync(join(copy, "manifest.json"), JSON.stringify({ ...manifest, ...changes }));
    await assert.rejects(restoreStore(folder, copy), { code: "INVALID_INPUT", message });
    assert.equal((await idsOf(folder)).length, 3);
  };
  await refuses({ files: [] }, /toolwright\.db is not listed/);
  await refuses({ files: [artifact, database] }, /is no file of a store/);
  await refuses({ createdAt: 9e15 }, /createdAt/);
  // A sparse file of a terabyte would be read for an hour.
  truncateSync(join(copy, artifact.path), 2 ** 40);
  await refuses({}, /was changed/);
  rmSync(join(copy, artifact.path));
  execFileSync("mkfifo", [join(copy, artifact.path)]);
  await refuses({}, /is missing or no regular file/);
  rmSync(join(copy, "manifest.json"));
  execFileSync("mkfifo", [join(copy, "manifest.json")]);
  await assert.rejects(restoreStore(folder, copy), {
    code: "INVALID_INPUT",
    message: /no backup of a store/,
  });
});

test("a check reports what a whole store has, and names each thing that is damaged", async (t) => {
  const { folder, store, artifact } = await filled(t);
  const whole = await checkStore(folder);
  assert.deepEqual([whole.problems, whole.openedBy, whole.artifacts], [[], [process.pid], 1]);
  assert.deepEqual(whole.documents, { memory: 1, sessions: 1 });
  await store.close();
  const { calls, openedBy } = await checkStore(folder);
  assert.deepEqual([calls, openedBy], [{ answered: 3 }, []]);
  writeFileSync(join(folder, "artifacts", `${artifact}.cut`), "a lo");
  assert.match((await checkStore(folder)).problems.join(), /artifact .* is damaged/);
  writeFileSync(join(folder, "toolwright.db"), "no database");
  const damaged = await checkStore(folder);
  assert.deepEqual([damaged.version, damaged.problems.length], [null, 2]);
});

test("compacting returns the space of what was deleted, while the store is in use", async (t) => {
  const { folder, store } = await filled(t);
  t.after(() => store.close());
  const large = store.collections.open("large");
  for (let key = 0; key < 40; key += 1) await large.set(`${key}`, "x".repeat(100_000));
  for (let key = 0; key < 40; key += 1) await large.delete(`${key}`);
  const { beforeBytes, afterBytes } = await compactStore(folder);
  assert.ok(beforeBytes > 4_000_000 && afterBytes < 200_000, `${beforeBytes} ${afterBytes}`);
  await record(store, 4, 4);
  assert.equal((await store.journal.list()).length, 4);
});

test("a copy is made once a day and the last seven stay; a store that cannot be read makes none", async (t) => {
  const { folder, store } = await filled(t);
  t.after(() => store.close());
  const DAY_MS = 24 * 60 * 60 * 1000;
  let now = Date.parse("2026-01-01T12:00:00Z");
  const daily = createDailyCopy(folder, join(folder, "toolwright.db"), () => now);
  for (let day = 0; day < 9; day += 1) {
    await daily.copyIfDue();
    await daily.copyIfDue();
    now += DAY_MS;
  }
  const copies = dailyCopies(folder);
  // The open store may have made the copy of today by now, which is the newest of the seven.
  const days = copies.filter((path) => path.includes("2026-01"));
  assert.deepEqual([copies.length, days.at(-1)?.endsWith("2026-01-09.db")], [7, true]);
  const other = temporaryFolder(t);
  await createDailyCopy(other, join(other, "missing", "toolwright.db")).copyIfDue();
  assert.deepEqual(readdirSync(join(other, "daily")), []);
});
