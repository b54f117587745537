// The next starts after a killed process: its log is recovered under a lock that keeps even readers out, and nothing may fail because of that.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { databasePath } from "../../src/store/open-store.ts";
import { loadSqlite } from "../../src/system/sqlite.ts";
import { STORE_VERSIONS, unpackStore } from "../support/files/earlier-store.ts";
import { isLong } from "../support/property-runs.ts";
import { createPlace, runCli, runProcess, type Place } from "./support/cli.ts";

const AT_ONCE = isLong ? 24 : 4;
const ROUNDS = isLong ? 10 : 1;
/** Longer than SQLite itself waits for a lock. */
const HELD_MS = 150;

const COMMANDS: readonly (readonly string[])[] = [
  ["call", "read_file", "path=a.txt", "--mode", "yolo"],
  ["call", "remember", "key=a", "value=b", "--mode", "yolo"],
  ["trace", "--all"],
  ["sessions"],
  ["approve"],
  ["tools"],
];

/** Creates a home with the store of a process that was killed. */
function afterKill(t: TestContext, version = STORE_VERSIONS.at(-1) ?? ""): Place & { readonly path: string } {
  const place = createPlace(t);
  place.write("a.txt", "content");
  const folder = join(place.home, "state");
  unpackStore(version, folder);
  return { ...place, path: databasePath(folder) };
}

for (const command of COMMANDS)
  test(`${command.slice(0, 2).join(" ")} waits for a process that recovers the store`, async (t) => {
    const place = afterKill(t);
    const holder = new (loadSqlite().DatabaseSync)(place.path);
    // Keeps readers out too, as a recovery does.
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT");
    setTimeout(() => holder.close(), HELD_MS);
    const { code, stderr } = await runCli(place, command);
    assert.deepEqual([code, stderr], [0, ""]);
  });

for (let round = 0; round < ROUNDS; round += 1)
  for (const version of isLong ? STORE_VERSIONS : STORE_VERSIONS.slice(-1))
    test(`${AT_ONCE} programs that start at once after a kill, with a store of ${version}, all succeed (${round})`, async (t) => {
      const place = afterKill(t, version);
      const programs = Array.from({ length: AT_ONCE }, () => runProcess(place, COMMANDS[0] ?? []));
      for (const { code, stderr, stdout } of await Promise.all(programs)) {
        assert.deepEqual([code, stderr], [0, ""]);
        assert.match(stdout, /content/);
      }
    });
