// What a recorded program does with a store: the file for what its caller learns, the folder, and the work.
import { writeSync, openSync } from "node:fs";
import { join } from "node:path";
import { backupStore } from "../../../../src/store/care/backup-store.ts";
import { restoreStore } from "../../../../src/store/care/restore-store.ts";
import { createCheckpoints } from "../../../../src/store/database/checkpoints.ts";
import { createSqliteCollections } from "../../../../src/store/database/collections.ts";
import { openDatabase } from "../../../../src/store/database/database.ts";
import { createDailyCopy } from "../../../../src/store/database/daily-copy.ts";
import { databasePath, openStore } from "../../../../src/store/open-store.ts";
import { writeNewFile } from "../../../../src/app/terminal/print/write-new-file.ts";
import { answer, call } from "../../../../src/app/host/testing/contracts/journal-calls.ts";

const [toldFile = "", root = "", work = "", count = "0"] = process.argv.slice(2);
const told = openSync(toldFile, "a");
const tell = (what: string): void => void writeSync(told, `${what}\n`);
const folder = join(root, "store");
const numbers = Array.from({ length: Number(count) }, (_, index) => index + 1);

/** Documents one by one; half way the thread of a store copies the log. */
async function write(collection: string): Promise<void> {
  const database = await openDatabase(databasePath(folder));
  const documents = createSqliteCollections(database).open(collection);
  for (const number of numbers) {
    await documents.set(`${number}`, "x".repeat(number * 100));
    tell(`${number}`);
    if (number !== numbers.length / 2) continue;
    await copyLog();
    tell("checkpoint");
  }
  database.close();
  tell("closed");
}

/** Copies the log to the database in the thread, which begins the log again. */
async function copyLog(): Promise<void> {
  const checkpoints = createCheckpoints(databasePath(folder), 0);
  // A checkpoint does not keep the process alive; this does.
  const alive = setInterval(() => undefined, 1000);
  await checkpoints.startIfDue();
  await checkpoints.close();
  clearInterval(alive);
}

const WORKS: Readonly<Record<string, () => Promise<void>>> = {
  documents: () => write("notes"),
  grants: () => write("grants"),
  async calls() {
    const store = await openStore({ folder });
    for (const number of numbers) {
      const entry = store.journal.receive(call(`call-${number}`, { receivedAt: Date.now() }));
      await entry.start("unsafe");
      await entry.settle(answer(`call-${number}`, `answer ${number}`));
    }
    await store.close();
    tell("closed");
  },
  async open() {
    await (await openStore({ folder })).close();
    tell("closed");
  },
  async backup() {
    await backupStore(folder, join(root, "backup"));
    tell("done");
  },
  async restore() {
    await restoreStore(folder, join(root, "backup"));
    tell("done");
  },
  async daily() {
    await createDailyCopy(folder, databasePath(folder), () => 0).copyIfDue();
  },
  async export() {
    await writeNewFile(join(root, "export.json"), "exported\n".repeat(2000));
    tell("done");
  },
};

await WORKS[work]?.();
