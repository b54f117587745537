import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CHILD = fileURLToPath(new URL("./two-editors-child.ts", import.meta.url));

/** Edits of each process. */
const EDITS = isLong ? 1000 : 40;

test(`two processes make ${2 * EDITS} edits of one file, and none is lost`, async (context) => {
  const root = join(temporaryFolder(context), "w");
  mkdirSync(root);
  writeFileSync(join(root, "shared"), "END\n");
  const edit = (name: string): Promise<string> =>
    text(
      spawn(process.execPath, [CHILD, root, name, String(EDITS)], { stdio: ["ignore", "pipe", "ignore"] })
        .stdout,
    );
  const made = (await Promise.all(["one", "two"].map(edit))).flatMap((output) => output.trim().split("\n"));
  assert.equal(made.length, 2 * EDITS);
  const lines = readFileSync(join(root, "shared"), "utf8").split("\n");
  assert.deepEqual(lines.slice(0, -2).toSorted(), made.toSorted());
  assert.deepEqual(readdirSync(root), ["shared"]);
});
