import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { recoverChanges } from "../../../src/system/files/recover-changes.ts";
import { arrange, EDIT_CASES } from "../generators/edit-cases.ts";
import { contentsOf } from "../files/folder-contents.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const CHILD = fileURLToPath(new URL("../../faults/edit-child.ts", import.meta.url));
const AT_ONCE = 4;

/** Kills a process that changes files at every `every`th step of its work. */
export function testEditKills(every: number): void {
  // A killed child writes no compile cache: it reads that of this process, which has loaded the same files.
  before(() => flushCompileCache());

  for (const [index, one] of EDIT_CASES.entries()) {
    // The same code as edit_file; testing it again would prove nothing.
    if (one.name === "file_multi_edit") continue;

    test(`${one.name}: killed at any step, the next process finds all files old or all new, and nothing else`, async (context) => {
      const folder = temporaryFolder(context);
      const paths = [...new Set([...Object.keys(one.before), ...Object.keys(one.after)])];

      /** Whether the child process finished. */
      async function killAt(step: number): Promise<boolean> {
        const root = join(folder, String(step));
        mkdirSync(root);
        arrange(root, one);
        const child = spawn(process.execPath, [CHILD, String(index), root, String(step)], {
          stdio: "inherit",
        });
        const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
        for (const path of paths) {
          const now = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
          assert(
            [one.before[path], one.after[path]].includes(now),
            `step ${step}: ${path} is ${String(now)}`,
          );
        }
        assert.deepEqual(recoverChanges(`${root}.changes`), []);
        const changes = readdirSync(`${root}.changes`).filter((name) =>
          /\.(?:json|commit|folders)$/.test(name),
        );
        assert.deepEqual(changes, []);
        const found = contentsOf(root);
        assert.deepEqual(found, isDeepStrictEqual(found, one.after) ? one.after : one.before, `step ${step}`);
        if (signal !== null) return false;
        assert.equal(code, 0);
        assert.deepEqual(contentsOf(root), one.after);
        return true;
      }

      let kills = 0;
      for (let step = 1; ; step += AT_ONCE * every) {
        const steps = Array.from({ length: AT_ONCE }, (_, offset) => step + offset * every);
        const lived = await Promise.all(steps.map(killAt));
        kills += lived.filter((hasLived) => !hasLived).length;
        if (!lived.includes(true)) continue;
        assert(kills > 1, "the child was killed at several steps");
        return;
      }
    });
  }
}
