import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { installPacked, type Installed } from "../../scripts/package/install-packed.ts";

// Takes about a minute.

let installed: Installed;
before(() => {
  installed = installPacked();
});
after(() => installed.remove());

test("odd uses of the packed package each have their one answer", (t) => {
  const { project } = installed;
  for (const file of ["odd-uses.mjs", "odd-options.mjs", "run-once.mjs"])
    cpSync(`test/fixtures/consumer/${file}`, join(project, file));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--test", "--test-isolation=none", "--test-reporter=tap", "odd-uses.mjs", "odd-options.mjs"],
    { cwd: project, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: project } },
  );
  const failed = stdout.split("\n").filter((line) => line.startsWith("not ok"));
  assert.equal(status, 0, `${failed.join("\n")}\n${stderr}`);
  const count = Number(/^# pass (\d+)$/m.exec(stdout)?.[1]);
  t.diagnostic(`${count} uses`);
  assert.ok(count > 120, stdout);
});
