import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ToolError } from "../../core/errors.ts";
import { makeFolder, openDatabase, whenUnlocked } from "./database.ts";
import { migrate } from "./migrate.ts";

test("a new database is in WAL mode, with foreign keys, for its owner only", async (context) => {
  const path = await temporaryPath(context);
  const database = await openDatabase(path);
  const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  assert.equal(pragma("journal_mode"), "wal");
  assert.equal(pragma("synchronous"), 1);
  assert.equal(pragma("foreign_keys"), 1);
  for (const file of [path, `${path}-wal`]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
  database.close();
});

test("a folder is made with those above it; one in /proc is refused", async (context) => {
  const folder = join(await temporaryPath(context), "a/b");
  makeFolder(folder);
  makeFolder(folder);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  writeFileSync(join(folder, "file"), "");
  assert.throws(() => makeFolder(join(folder, "file")), /cannot be created: EEXIST/);
  assert.throws(() => makeFolder(join(folder, "file/c")), /cannot be created: ENOTDIR/);
  if (existsSync("/proc/self"))
    for (const path of ["/proc/none", "/proc/none/a"])
      assert.throws(() => makeFolder(path), { code: "UNAVAILABLE", message: /cannot be created: ENOENT/ });
});

test("a folder that several threads make at once is there for all of them", async (context) => {
  const root = await temporaryPath(context);
  const script = `
    import { makeFolder } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "database.ts")).href)};
    for (let round = 0; round < 200; round += 1) makeFolder(${JSON.stringify(root)} + "/" + round + "/a/b");`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const codes = [1, 2, 3].map(() => once(new Worker(url), "exit"));
  assert.deepEqual(await Promise.all(codes), [[0], [0], [0]]);
  assert.ok(statSync(join(root, "199/a/b")).isDirectory());
});

test("loading the database prints no warning and does not suppress others", async (context) => {
  const path = await temporaryPath(context);
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, "database.ts"))};
    (await openDatabase(${JSON.stringify(path)})).close();
    process.emitWarning("a warning of somebody else");`;
  const child = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(child.status, 0, child.stderr);
  assert.match(child.stderr, /a warning of somebody else/);
  assert.doesNotMatch(child.stderr, /SQLite|Experimental/);
});

test("the database is loaded only when one is opened", () => {
  const script = `
    await import(${JSON.stringify(join(import.meta.dirname, "../open-store.ts"))});
    console.log(process.moduleLoadList.filter((name) => name.includes("sqlite")).length);`;
  const child = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(child.stdout.trim(), "0", child.stderr);
});

test("a database of a newer Toolwright is refused with a hint, and unchanged", async (context) => {
  const path = await temporaryPath(context);
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 999; CREATE TABLE future (id)");
  newer.close();
  const error = await failureOf(openDatabase(path));
  assert.equal(error.code, "UNAVAILABLE");
  assert.match(error.message, /newer Toolwright.*999/);
  assert.match(error.hint ?? "", /update/);
  const after = new DatabaseSync(path);
  assert.equal(after.prepare("PRAGMA user_version").get()?.["user_version"], 999);
  after.close();
});

test("a file that is not a database is refused with a hint, and unchanged", async (context) => {
  const path = await temporaryPath(context);
  const bytes = "this is no database, it is somebody's text. ".repeat(200);
  writeFileSync(path, bytes);
  const error = await failureOf(openDatabase(path));
  assert.equal(error.code, "UNAVAILABLE");
  assert.ok(error.message.includes(path));
  assert.match(error.hint ?? "", /nothing was deleted/);
  assert.equal(readFileSync(path, "utf8"), bytes);
});

test("a database that cannot be created is reported with a hint", async () => {
  const error = await failureOf(openDatabase("/dev/null/toolwright.db"));
  assert.equal(error.code, "UNAVAILABLE");
  assert.ok(error.cause instanceof Error);
});

test("a disk without room for SQLite's other files is reported as full", async (context) => {
  const path = await temporaryPath(context);
  (await openDatabase(path)).close();
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, "database.ts"))};
    await openDatabase(${JSON.stringify(path)}).catch(({ code, hint }) => console.log(code, hint));`;
  // No file may grow beyond 1 KB: to SQLite that looks like a full disk.
  const limited = ["-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "bash", process.execPath];
  const child = spawnSync("bash", [...limited, "--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  assert.match(child.stdout, /^UNAVAILABLE the disk is full or failing/, child.stderr);
});

test("only missing migrations run, once each and in order", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, ["CREATE TABLE a (id)"]);
  migrate(database, ["CREATE TABLE a (id)", "CREATE TABLE b (id); INSERT INTO b VALUES (1)"]);
  migrate(database, ["CREATE TABLE a (id)", "CREATE TABLE b (id); INSERT INTO b VALUES (1)"]);
  assert.equal(database.prepare("SELECT count(*) AS count FROM b").get()?.["count"], 1);
  database.close();
});

test("a migration that fails leaves the database as it was", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, ["CREATE TABLE a (id)"]);
  assert.throws(() => migrate(database, ["", "CREATE TABLE b (id)", "CREATE TABLE nonsense"]));
  assert.equal(database.prepare("PRAGMA user_version").get()?.["user_version"], 1);
  assert.deepEqual(
    database
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map((row) => row["name"]),
    ["a"],
  );
  database.close();
});

test("waiting for a lock does not block other work, and ends after the time limit", async (context) => {
  const path = await temporaryPath(context);
  const [holder, other] = [await openDatabase(path), await openDatabase(path)];
  const begin = (): void => other.exec("BEGIN IMMEDIATE");
  holder.exec("BEGIN IMMEDIATE");
  await assert.rejects(whenUnlocked(begin, 50), { errcode: 5 });

  setImmediate(() => holder.exec("COMMIT"));
  await whenUnlocked(begin);
  assert.equal(other.isTransaction, true);
  other.close();
  holder.close();
});

async function temporaryPath(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-database-"));
  context.after(() => rm(folder, { recursive: true }));
  return join(folder, "toolwright.db");
}

async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ToolError, String(error));
  return error;
}
