import assert from "node:assert/strict";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sweep } from "../process/sweep.ts";
import { removeAbandonedFolders } from "../process/temporary-folder.ts";
import { releaseAbandoned, reserveProtected } from "./reserve-protected.ts";

const PROTECTED = [".git", ".mcp.json", ".toolwright"];
const withoutProc = process.platform === "linux" ? false : "only Linux has mount tables in /proc";

/** Reserves the names of a workspace in a process that is killed then; its temporary folder is in `base`. */
function reserveAndDie(base: string, workspace: string, state?: string, { before = "" } = {}): void {
  const url = JSON.stringify(sourceUrl("src/system/box/reserve-protected.ts"));
  const rosterUrl = JSON.stringify(sourceUrl("src/system/process/roster.ts"));
  runScript(`
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    ${before}
    process.env.TMPDIR = ${JSON.stringify(base)};
    const { reserveProtected } = await import(${url});
    const { createRoster } = await import(${rosterUrl});
    await reserveProtected([${JSON.stringify(workspace)}], createRoster(${JSON.stringify(state)}));
    process.kill(process.pid, "SIGKILL");
  `);
}

test(
  "placeholders that killed processes left are removed, and what a user put there stays",
  { skip: withoutProc },
  async (t) => {
    const base = temporaryFolder(t);
    const [used, unused] = [temporaryFolder(t), temporaryFolder(t)];
    mkdirSync(join(used, ".git"));
    for (const workspace of [used, unused, unused]) reserveAndDie(base, workspace);
    writeFileSync(join(used, ".mcp.json"), "{}");
    assert.deepEqual(readdirSync(unused).toSorted(), PROTECTED);
    await removeAbandonedFolders([base], releaseAbandoned);
    assert.deepEqual([readdirSync(unused), readdirSync(base)], [[], []]);
    assert.deepEqual(readdirSync(used).toSorted(), [".git", ".mcp.json"]);
  },
);

test(
  "what a process left that was killed before its sandbox started is removed by the next program, also within the hour",
  { skip: withoutProc },
  async (t) => {
    const [base, state, workspace] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
    await sweep(state, releaseAbandoned, [base]);
    reserveAndDie(base, workspace, state);
    await sweep(state, releaseAbandoned, [base]);
    assert.deepEqual([readdirSync(workspace), readdirSync(base)], [[], []]);
  },
);

test(
  "a placeholder is removed whose process was killed before it marked it; what a user has, or makes later, stays",
  { skip: withoutProc },
  async (t) => {
    const [base, state, workspace] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
    mkdirSync(join(workspace, ".toolwright"));
    reserveAndDie(base, workspace, state, {
      before: "fs.utimesSync = () => process.kill(process.pid, 'SIGKILL'); syncBuiltinESMExports();",
    });
    assert.equal(readdirSync(workspace).length, 2);
    writeFileSync(join(workspace, ".mcp.json"), "");
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(workspace, ".mcp.json"), later, later);
    await sweep(state, releaseAbandoned, [base]);
    assert.deepEqual(
      [readdirSync(workspace).toSorted(), readdirSync(base)],
      [[".mcp.json", ".toolwright"], []],
    );
  },
);

test(
  "placeholders that another process has reserved stay until it releases them",
  { skip: withoutProc },
  async (t) => {
    const [base, workspace] = [temporaryFolder(t), temporaryFolder(t)];
    const before = process.env["TMPDIR"];
    t.after(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    reserveAndDie(base, workspace);
    process.env["TMPDIR"] = base;
    const release = await reserveProtected([workspace]);
    await removeAbandonedFolders([base], releaseAbandoned);
    assert.deepEqual(readdirSync(workspace).toSorted(), PROTECTED);
    await release();
    assert.deepEqual([readdirSync(workspace), readdirSync(base)], [[], []]);
  },
);
