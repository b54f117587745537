// Odd uses that an independent review tried, run in place against the packed package: each ends with an answer or with an error of ours.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { installPacked, type Installed } from "../../scripts/package/install-packed.ts";

/** Beside the repository. */
const FOLDER = resolve("../shared/reviews/scripts/library");
const SCRIPTS: Readonly<Record<string, number>> = { "p1.mjs": 126, "p2.mjs": 61 };
const skip = existsSync(FOLDER) ? false : `${FOLDER} is not there`;
/** What two probes leave floating themselves, in the code of their tools. */
const OWN = /^!! (?:UNHANDLED Error: floating|UNCAUGHT Error: later)$/;

let installed: Installed | undefined;
before(() => {
  if (skip === false) installed = installPacked();
});
after(() => installed?.remove());

for (const [script, count] of Object.entries(SCRIPTS))
  test(
    `the ${count} probes of ${basename(script)} hang nothing, leak nothing and throw only errors of ours`,
    { skip },
    () => {
      const cwd = installed?.project ?? "";
      copyFileSync(join(FOLDER, script), join(cwd, script));
      const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      const lines = stdout.split("\n");
      assert.equal(lines.filter((line) => /^\d+\. /.test(line)).length, count);
      const problems = lines.filter(
        (line) => line.includes("!!") && !OWN.test(line) && !/: !! THREW ToolError: /.test(line),
      );
      assert.deepEqual(problems, []);
    },
  );
