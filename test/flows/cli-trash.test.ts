import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { TrashEntry } from "../../src/system/saved/trash-entry.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

async function remove(place: Place, path: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(place, [
    "call",
    "delete_file",
    `path=${path}`,
    "--yes",
    "--json",
  ]);
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as { data: { trash_id: string } }).data.trash_id;
}

async function list(place: Place): Promise<readonly TrashEntry[]> {
  const { stdout } = await runCli(place, ["trash", "--json"]);
  return JSON.parse(stdout) as readonly TrashEntry[];
}

test("a deleted file is listed, and after a restore no longer in the trash", async (t) => {
  const place = createPlace(t);
  assert.equal((await runCli(place, ["trash"])).stdout, "the trash is empty\n");
  place.write("notes.txt", "text\n");
  const id = await remove(place, "notes.txt");
  assert.ok(!existsSync(join(place.folder, "notes.txt")));
  const table = await runCli(place, ["trash", "list"]);
  assert.match(table.stdout, new RegExp(`^${id}  20\\S+ \\S+  file  5 bytes  ${place.folder}/notes.txt\n$`));
  const [entry] = await list(place);
  assert.deepEqual([entry?.id, entry?.kind, entry?.bytes], [id, "file", 5]);
  assert.match(entry?.session ?? "", /^workspace-/);
  assert.match(entry?.callId ?? "", /^call-/);
  const { code, stdout } = await runCli(place, ["trash", "restore", id]);
  assert.deepEqual([code, stdout], [0, `restored ${place.folder}/notes.txt\n`]);
  assert.equal(readFileSync(join(place.folder, "notes.txt"), "utf8"), "text\n");
  assert.deepEqual(await list(place), []);
});

test("a restore never overwrites, and says how to restore to another path", async (t) => {
  const place = createPlace(t);
  place.write("a", "old");
  const id = await remove(place, "a");
  place.write("a", "new");
  const refused = await runCli(place, ["trash", "restore", id]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`exists already.*\n.*trash restore ${id} --to PATH`));
  assert.equal(readFileSync(join(place.folder, "a"), "utf8"), "new");
  const { code, stdout } = await runCli(place, ["trash", "restore", id, "--to", "deep/b", "--json"]);
  assert.equal(code, 0);
  assert.equal((JSON.parse(stdout) as TrashEntry).path, join(place.folder, "deep/b"));
  assert.equal(readFileSync(join(place.folder, "deep/b"), "utf8"), "old");
});

test("empty removes all entries, or only older ones", async (t) => {
  const place = createPlace(t);
  for (const name of ["a", "b"]) {
    place.write(name, "12");
    const id = await remove(place, name);
    if (name === "a") age(place, id);
  }
  assert.deepEqual(
    (await runCli(place, ["trash", "empty", "--older-than", "7"])).stdout,
    "removed 1 entry, 2 bytes\n",
  );
  assert.deepEqual(
    (await list(place)).map(({ path }) => path.slice(-1)),
    ["b"],
  );
  const { stdout } = await runCli(place, ["trash", "empty", "--json"]);
  assert.equal((JSON.parse(stdout) as readonly TrashEntry[]).length, 1);
  assert.deepEqual(await list(place), []);
});

/** Makes an entry eight days old. */
function age({ home }: Place, id: string): void {
  const file = join(home, "state/trash", id, "entry.json");
  const entry = JSON.parse(readFileSync(file, "utf8")) as TrashEntry;
  writeFileSync(file, JSON.stringify({ ...entry, deletedAt: entry.deletedAt - 8 * 86_400_000 }));
}

test("the trash is in the store's folder, and in the default folder if the store is in memory", async (t) => {
  const place = createPlace(t);
  place.write("a", "");
  await runCli(place, ["call", "delete_file", "path=a", "--yes", "--store", ":memory:"]);
  assert.equal((await list(place)).length, 1);
  place.write("a", "");
  await runCli(place, ["call", "delete_file", "path=a", "--yes", "--store", "kept"]);
  assert.ok(existsSync(join(place.folder, "kept/trash")));
  assert.equal((await list(place)).length, 1);
  const inStore = await runCli(place, [
    "call",
    "delete_file",
    "path=kept",
    "recursive=true",
    "--yes",
    "--store",
    "kept",
  ]);
  assert.match(inStore.stderr, /Toolwright's own state/);
});

const BAD: readonly (readonly [readonly string[], RegExp])[] = [
  [["retsore"], /unknown action "retsore"; expected list, restore or empty\n.*did you mean restore\?/],
  [["restore"], /missing entry id/],
  [["restore", "a", "b"], /unexpected argument: b/],
  [["list", "x"], /unexpected argument: x/],
  [["list", "--to", "x"], /--to cannot be used with "trash list"/],
  [["restore", "x", "--older-than", "1"], /--older-than cannot be used with "trash restore"/],
  [["empty", "--older-than", "soon"], /number of days/],
  [["empty", "--older-than", "-1"], /number of days/],
];
for (const [args, says] of BAD) {
  test(`toolwright trash ${args.join(" ")} exits 2 and says what is wrong`, async (t) => {
    const { code, stdout, stderr } = await runCli(createPlace(t), ["trash", ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, says);
  });
}

test("an unknown id exits 2 and names the near ones", async (t) => {
  const place = createPlace(t);
  place.write("a", "");
  const id = await remove(place, "a");
  const wrong = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
  const { code, stderr } = await runCli(place, ["trash", "restore", wrong]);
  assert.equal(code, 2);
  assert.match(stderr, new RegExp(`did you mean ${id}\\?`));
});

test("commands that only read or restore what is stored work while config.json cannot be read, and say so", async (t) => {
  const place = createPlace(t);
  place.write("notes.txt", "text\n");
  const id = await remove(place, "notes.txt");
  const config = join(place.home, "config.json");
  writeFileSync(config, "{ broken");
  for (const args of [["trace"], ["sessions"], ["trash"], ["trash", "restore", id]]) {
    const { code, stderr } = await runCli(place, args);
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, /config\.json.*its settings are ignored/);
  }
  assert.equal(readFileSync(join(place.folder, "notes.txt"), "utf8"), "text\n");
  // An export masks the secrets that the settings name, and a call is judged by them.
  for (const args of [
    ["sessions", "export", "x"],
    ["call", "ls"],
  ]) {
    const { code, stderr } = await runCli(place, args);
    assert.deepEqual([code, stderr.includes("are ignored")], [2, false], stderr);
  }
});
