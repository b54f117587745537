import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Checkpoint } from "../../src/system/saved/checkpoint-files.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

async function keep(place: Place, files: readonly string[], ...flags: readonly string[]): Promise<string> {
  const input = JSON.stringify({ description: "works", files_modified: files });
  const { code, stdout, stderr } = await runCli(place, [
    "call",
    "create_checkpoint",
    "--args",
    input,
    "--json",
    ...flags,
  ]);
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as { data: { checkpoint_id: string } }).data.checkpoint_id;
}

async function list(place: Place): Promise<readonly Checkpoint[]> {
  return JSON.parse((await runCli(place, ["restore", "--json"])).stdout) as readonly Checkpoint[];
}

function read(place: Place, name: string): string {
  return readFileSync(join(place.folder, name), "utf8");
}

test("a deleted file is restored, and a file created since is left in place and listed", async (t) => {
  const place = createPlace(t);
  assert.equal((await runCli(place, ["restore"])).stdout, "no checkpoints of this workspace\n");
  mkdirSync(join(place.folder, "src"));
  place.write("src/a.ts", "one\n");
  place.write("same", "x");
  const id = await keep(place, ["src/a.ts", "new", "same"]);
  const table = await runCli(place, ["restore"]);
  assert.match(table.stdout, new RegExp(`^${id}  20\\S+ \\S+  3 files  works\n$`));
  rmSync(join(place.folder, "src"), { recursive: true });
  place.write("new", "stays");
  const { code, stdout } = await runCli(place, ["restore", id]);
  assert.equal(code, 0);
  assert.match(stdout, /^restored +src\/a\.ts\nleft in place \(created since\) +new\nunchanged +same\n$/);
  assert.deepEqual([read(place, "src/a.ts"), read(place, "new")], ["one\n", "stays"]);
});

test("the list shows the tests of a checkpoint, one checkpoint a line", async (t) => {
  const place = createPlace(t);
  const input = { description: "works", tests_added: ["a.test.ts", "two\nlines"] };
  const args = ["call", "create_checkpoint", "--args", JSON.stringify(input)];
  assert.equal((await runCli(place, args)).code, 0);
  const { stdout } = await runCli(place, ["restore"]);
  assert.match(stdout, /^\w{8}  20\S+ \S+  0 files  works \(tests: a\.test\.ts, two lines\)\n$/);
});

test("a change by the agent is recorded: the file is restored, and the overwritten version can be restored too", async (t) => {
  const place = createPlace(t);
  place.write("a", "one\n");
  const id = await keep(place, ["a"]);
  const edit = ["call", "edit_file", "path=a", "old_string=one", "new_string=two", "--yes"];
  assert.equal((await runCli(place, edit)).code, 0);
  const { code, stdout, stderr } = await runCli(place, ["restore", id]);
  assert.equal(code, 0, stderr);
  assert.equal(read(place, "a"), "one\n");
  const [, before = ""] = /the overwritten files are stored as checkpoint (\w+)\n$/.exec(stdout) ?? [];
  assert.equal((await runCli(place, ["restore", before])).code, 0);
  assert.equal(read(place, "a"), "two\n");
});

test("an unrecorded change is refused with a summary, and overwritten only with --force", async (t) => {
  const place = createPlace(t);
  place.write("a", "one\ntwo\nthree\n");
  place.write("gone", "x");
  writeFileSync(join(place.folder, "binary"), Uint8Array.of(0, 1));
  const id = await keep(place, ["gone", "a", "binary"]);
  rmSync(join(place.folder, "gone"));
  place.write("a", "one\n2\nthree\nfour\n");
  writeFileSync(join(place.folder, "binary"), Uint8Array.of(0, 1, 2));
  const refused = await runCli(place, ["restore", id]);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /2 of its files have unrecorded changes; nothing was restored/);
  assert.match(refused.stderr, /\n {2}a: \+2 -1 lines since\n {2}binary: 2 bytes then, 3 now\n/);
  assert.match(refused.stderr, new RegExp(`toolwright restore ${id} --force`));
  assert.ok(!existsSync(join(place.folder, "gone")));
  const json = await runCli(place, ["restore", id, "--json"]);
  assert.equal(json.code, 1);
  assert.deepEqual(JSON.parse(json.stdout), {
    id,
    restored: false,
    before: null,
    files: [
      { path: "gone", outcome: "not restored" },
      { path: "a", outcome: "changed", change: "+2 -1 lines since" },
      { path: "binary", outcome: "changed", change: "2 bytes then, 3 now" },
    ],
  });
  assert.equal((await runCli(place, ["restore", id, "--force"])).code, 0);
  assert.deepEqual([read(place, "a"), read(place, "gone")], ["one\ntwo\nthree\n", "x"]);
  const [before] = await list(place);
  assert.equal(before?.description, `before ${id} was restored`);
  assert.equal((await runCli(place, ["restore", before?.id ?? ""])).code, 0);
  assert.equal(read(place, "a"), "one\n2\nthree\nfour\n");
});

test("checkpoints are in the store's folder, and in the default folder if the store is in memory", async (t) => {
  const place = createPlace(t);
  place.write("a", "one");
  const inMemory = await keep(place, ["a"], "--store", ":memory:");
  const beside = await keep(place, ["a"], "--store", join(place.home, "other"));
  assert.deepEqual(
    (await list(place)).map(({ id }) => id),
    [inMemory],
  );
  rmSync(join(place.folder, "a"));
  const { code } = await runCli(place, ["restore", beside, "--store", join(place.home, "other")]);
  assert.deepEqual([code, read(place, "a")], [0, "one"]);
});

test("an unknown id names the near ones, and a checkpoint of another workspace its own", async (t) => {
  const [place, other] = [createPlace(t), createPlace(t)];
  place.write("a", "one");
  const id = await keep(place, ["a"]);
  const wrong = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
  const unknown = await runCli(place, ["restore", wrong]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, new RegExp(`did you mean ${id}\\?`));
  const elsewhere = await runCli({ ...other, home: place.home }, ["restore", id]);
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.stderr, new RegExp(`another workspace: ${place.folder}`));
});

for (const [args, says] of [
  [["a", "b"], /unexpected argument: b/],
  [["--force"], /--force needs the id/],
] as const) {
  test(`toolwright restore ${args.join(" ")} exits 2 and says what is wrong`, async (t) => {
    const { code, stderr } = await runCli(createPlace(t), ["restore", ...args]);
    assert.equal(code, 2);
    assert.match(stderr, says);
  });
}
