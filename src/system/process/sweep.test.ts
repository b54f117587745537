import assert from "node:assert/strict";
import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sweep } from "./sweep.ts";

/** Lets a process create its temporary folder and die; with a record of a program if `state` is given. */
function abandon(base: string, state?: string): string {
  const [folders, roster] = ["temporary-folder", "roster"].map((name) =>
    JSON.stringify(sourceUrl(`src/system/process/${name}.ts`)),
  );
  const { stdout } = runScript(`
    const { makeTemporaryFolder } = await import(${folders});
    const { createRoster } = await import(${roster});
    if (${state !== undefined}) createRoster(${JSON.stringify(state ?? "")}).add("a.1");
    console.log(await makeTemporaryFolder(${JSON.stringify(base)}));
    process.kill(process.pid, "SIGKILL");
  `);
  return stdout.trim();
}

test("temporary folders are looked for once an hour, and at once after a process of the state folder has died", async (t) => {
  const [base, state] = [temporaryFolder(t), temporaryFolder(t)];
  const run = (): Promise<void> => sweep(state, () => true, [base]);
  const first = abandon(base);
  await run();
  assert.equal(existsSync(first), false);
  const second = abandon(base);
  await run();
  assert.equal(existsSync(second), true);
  utimesSync(join(state, "swept"), 1, 1);
  await run();
  assert.equal(existsSync(second), false);
  const third = abandon(base, state);
  await run();
  assert.equal(existsSync(third), false);
});

test("a state folder that cannot be written is swept each time, and is no failure", async (t) => {
  const base = temporaryFolder(t);
  const left = abandon(base);
  await sweep("/nope/nope", () => true, [base]);
  assert.equal(existsSync(left), false);
});

test("what a sandbox that is still ending holds is removed when it has ended: by the same sweep, or by the next", async (t) => {
  const [base, state] = [temporaryFolder(t), temporaryFolder(t)];
  const first = abandon(base);
  let left = 3;
  await sweep(state, () => (left -= 1) < 0, [base]);
  assert.equal(existsSync(first), false);
  const second = abandon(base, state);
  await sweep(state, () => false, [base]);
  assert.equal(existsSync(second), true);
  await sweep(state, () => true, [base]);
  assert.equal(existsSync(second), false, "not only an hour later");
});
