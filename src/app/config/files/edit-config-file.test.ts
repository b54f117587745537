import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { editConfigFile } from "./edit-config-file.ts";

const valuesOf = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

test("a new file is its owner's, and one that is there keeps its mode", async (t) => {
  const folder = temporaryFolder(t);
  const [made, old] = [join(folder, "made.json"), join(folder, "old.json")];
  writeFileSync(old, "{}");
  chmodSync(old, 0o640);
  for (const file of [made, old]) await editConfigFile(file, () => ({ mode: "ask" }));
  assert.deepEqual(
    [made, old].map((file) => statSync(file).mode & 0o777),
    [0o600, 0o640],
  );
});

test("what cannot be changed is told, and stays what it was", async (t) => {
  const file = join(temporaryFolder(t), "config.json");
  writeFileSync(file, "{broken");
  await assert.rejects(editConfigFile(file, () => ({})));
  writeFileSync(file, '{"mode":"ask"}');
  await assert.rejects(
    editConfigFile(file, () => {
      throw new Error("no");
    }),
    /no/,
  );
  assert.deepEqual(valuesOf(file), { mode: "ask" });
});
