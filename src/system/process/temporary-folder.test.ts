import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { currentProcess } from "./identity.ts";
import { identityName } from "./identity-name.ts";
import { makeTemporaryFolder, removeAbandonedFolders } from "./temporary-folder.ts";

test("the folders of processes that have ended are removed, and no others", async (context) => {
  const base = temporaryFolder(context);
  const own = await makeTemporaryFolder(base);
  const url = JSON.stringify(sourceUrl("src/system/process/temporary-folder.ts"));
  const { stdout } = runScript(`
    const { makeTemporaryFolder } = await import(${url});
    console.log(await makeTemporaryFolder(${JSON.stringify(base)}));
    process.kill(process.pid, "SIGKILL");
  `);
  const abandoned = stdout.trim();
  writeFileSync(join(abandoned, "command-1"), "a command");
  const elsewhere = identityName({ ...currentProcess(), pid: 2 ** 22 + 1, namespace: "pid:[1]" });
  const unfinished = `toolwright-${identityName(currentProcess())}`;
  const others = ["toolwright-notes.abcdef", unfinished, `toolwright-${elsewhere}.abcdef`, "other"];
  for (const name of others) mkdirSync(join(base, name));
  await removeAbandonedFolders([base]);
  assert.equal(existsSync(abandoned), false);
  assert.deepEqual(readdirSync(base).length, others.length + 1);
  assert.equal(existsSync(own), true);
});

test("without a folder for temporary files, the usual one is used", async (context) => {
  const made = await makeTemporaryFolder(join(temporaryFolder(context), "missing"));
  context.after(() => rmSync(made, { recursive: true }));
  assert.equal(dirname(made), "/tmp");
});
