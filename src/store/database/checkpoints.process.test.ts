import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openDatabase } from "./database.ts";

const moduleUrl = (name: string): string => JSON.stringify(join(import.meta.dirname, name));

/** What a process does after a checkpoint has started, before it ends at once. */
const ONLINE = `await new Promise((resolve) => process.once("worker", (worker) => worker.once("online", resolve)));`;
const MOMENTS = {
  "at once": "",
  "when its thread runs": ONLINE,
  "while it copies and more is written": `${ONLINE} for (let count = 0; count < 20; count += 1) { await write(); await turn(); }`,
} as const;

for (const [moment, work] of Object.entries(MOMENTS))
  for (const end of ["process.exit(0)", `process.kill(process.pid, "SIGKILL")`])
    test(`${end} during a checkpoint, ${moment}, loses nothing and prints nothing`, async (t) => {
      const path = join(temporaryFolder(t), "toolwright.db");
      const child = spawnSync(
        process.execPath,
        ["--input-type=module-typescript", "-e", script(path, work, end)],
        { encoding: "utf8" },
      );
      assert.equal(child.stderr, "");
      assert.deepEqual(
        [child.status, child.signal],
        end.startsWith("process.exit") ? [0, null] : [null, "SIGKILL"],
      );
      const database = await openDatabase(path);
      const get = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
      assert.equal(get("PRAGMA integrity_check"), "ok");
      assert.equal(get("SELECT count(*) FROM documents"), Number(child.stdout.trim().split("\n").at(-1)));
      database.close();
    });

/** Prints the number of rows after each transaction. */
function script(path: string, work: string, end: string): string {
  return `
    import { writeSync } from "node:fs";
    import { setImmediate as turn } from "node:timers/promises";
    import { createCheckpoints } from ${moduleUrl("checkpoints.ts")};
    import { openDatabase, whenUnlocked } from ${moduleUrl("database.ts")};
    const database = await openDatabase(${JSON.stringify(path)});
    const insert = database.prepare("INSERT INTO documents (collection, key, value) VALUES ('test', ?, ?)");
    let written = 0;
    const write = async () => {
      await whenUnlocked(() => database.exec("BEGIN IMMEDIATE"));
      for (let row = 0; row < 50; row += 1) insert.run(String(written += 1), "x".repeat(1000));
      database.exec("COMMIT");
      writeSync(1, written + "\\n");
    };
    for (let count = 0; count < 20; count += 1) await write();
    setInterval(() => undefined, 1000);
    void createCheckpoints(${JSON.stringify(path)}, 100_000).startIfDue();
    ${work}
    ${end};`;
}
