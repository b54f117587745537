import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { runScriptAsNobody, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createFileLocks, tryLockFiles } from "./file-locks.ts";

const LOCKS_URL = JSON.stringify(sourceUrl("src/system/files/file-locks.ts"));

test("work on the same path runs one after the other, also with two lock objects of one process", async (context) => {
  const folder = temporaryFolder(context);
  const [one, two] = [createFileLocks(folder), createFileLocks(folder)];
  const order: string[] = [];
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<void>) => async (): Promise<void> => {
    order.push(`${name} begins`);
    await until;
    order.push(`${name} ends`);
  };
  const running = [one(["/a"], work("first", first)), two(["/a"], work("second", Promise.resolve()))];
  while (order.length === 0) await setImmediate();
  assert.equal(tryLockFiles(folder, ["/a"]), undefined);
  endFirst();
  await Promise.all(running);
  assert.deepEqual(order, ["first begins", "first ends", "second begins", "second ends"]);
});

test("many files need few locks, which stay empty", async (context) => {
  const folder = temporaryFolder(context);
  const paths = Array.from({ length: 1000 }, (_, index) => `/file-${index}`);
  await createFileLocks(folder)(paths, async () => {
    assert.equal(tryLockFiles(folder, ["/file-7"]), undefined);
  });
  assert.equal(readdirSync(folder).length <= 256, true);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).size, 0);
});

test("a process that is killed frees its locks at once", async (context) => {
  const folder = temporaryFolder(context);
  const script = `
    const { createFileLocks } = await import(${LOCKS_URL});
    await createFileLocks(${JSON.stringify(folder)})(["/a"], () => {
      console.log("locked");
      // Until it is killed, at the latest with this process.
      return new Promise((resolve) => process.stdin.once("end", resolve).resume());
    });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(createInterface({ input: child.stdout }), "line");
  assert.equal(tryLockFiles(folder, ["/a"]), undefined);
  const waiting = createFileLocks(folder)(["/a"], async () => "mine");
  child.kill("SIGKILL");
  assert.equal(await waiting, "mine");
});

test("a cancelled call does not wait for a lock and does not begin", async (context) => {
  const folder = temporaryFolder(context);
  const unlock = tryLockFiles(folder, ["/a"]);
  const controller = new AbortController();
  const waiting = createFileLocks(folder)(["/a"], () => assert.fail("it began"), controller.signal);
  controller.abort(new Error("cancelled"));
  await assert.rejects(waiting, /cancelled/);
  unlock?.();
});

test("without a usable folder, work of one process still waits for its turn", async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, "closed"), { mode: 0o555 });
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "closed", "x"), "");
  const { stdout, stderr } = runScriptAsNobody(`
    const { createFileLocks } = await import(${LOCKS_URL});
    const exclusively = createFileLocks(${JSON.stringify(join(folder, "closed", "locks"))});
    let running = 0;
    const most = await Promise.all([1, 2, 3].map(() => exclusively(["/a"], async () => {
      running += 1;
      await new Promise(setImmediate);
      return running--;
    })));
    console.log(JSON.stringify(most));
  `);
  assert.equal(stdout.trim(), "[1,1,1]", stderr);
});
