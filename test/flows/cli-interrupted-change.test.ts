import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { backupPath, writeRecord } from "../../src/system/files/change-record.ts";
import { currentProcess } from "../../src/system/process/identity.ts";
import { createPlace, runCli } from "./support/cli.ts";

const ID = "0b54ce67-7e5b-4b7c-9c3e-6d6a5ad3f1c2";

test("an interrupted change that cannot be undone is reported by the next call, also after a command that only looks", async (t) => {
  const place = createPlace(t);
  assert.equal((await runCli(place, ["call", "ls"])).code, 0);
  const [changes, path] = [join(place.home, "state/changes"), join(place.folder, "a")];
  writeRecord(changes, { id: ID, owner: { ...currentProcess(), start: "another" }, paths: [path], made: [] });
  writeFileSync(join(changes, `${ID}.commit`), "");
  const backup = backupPath(ID, path, 0);
  writeFileSync(backup, "the only copy");
  assert.equal((await runCli(place, ["tools"])).code, 0);
  const { stderr } = await runCli(place, ["call", "ls"]);
  assert.match(stderr, /was interrupted and cannot be undone/);
  assert.ok(stderr.includes(backup), stderr);
});
