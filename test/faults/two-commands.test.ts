import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createFileOperations } from "../../src/system/files/operations.ts";
import { createPlace, runCli, type Finished, type Place } from "../flows/support/cli.ts";

/** Runs commands at the same time, each with locks of its own, as another process has. */
function runAll(place: Place, lines: readonly (readonly string[])[]): Promise<readonly Finished[]> {
  return Promise.all(lines.map((line) => runCli(place, line)));
}

function readHome(place: Place, name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(place.home, name), "utf8")) as Readonly<Record<string, unknown>>;
}

const NUMBERS = [1, 2, 3, 4, 5, 6];

test("of several commands that add a server of the same name at once, one does", async (t) => {
  const place = createPlace(t);
  const added = await runAll(
    place,
    NUMBERS.map((number) => ["mcp", "add", "same", "--", `program-${number}`]),
  );
  assert.equal(added.filter(({ code }) => code === 0).length, 1);
  const winner = NUMBERS[added.findIndex(({ code }) => code === 0)];
  const { mcpServers } = readHome(place, "config.json");
  assert.deepEqual(mcpServers, { same: { command: `program-${winner}` } });
});

test("rules that several commands write at once are all in the file", async (t) => {
  const place = createPlace(t);
  const written = await runAll(
    place,
    NUMBERS.map((number) => ["policy", "deny", "--path", `secret-${number}`]),
  );
  assert.deepEqual(
    written.map(({ code, stderr }) => [code, stderr]),
    NUMBERS.map(() => [0, ""]),
  );
  const { rules } = readHome(place, "policy.json") as {
    readonly rules: readonly { readonly path: string }[];
  };
  assert.deepEqual(rules.map(({ path }) => path.slice(-1)).toSorted(), NUMBERS.map(String));
});

test("settings that several commands set at once are all in the file", async (t) => {
  const place = createPlace(t);
  const settings = { mode: "ask", concurrency: 3, keepDays: 5, timeoutSeconds: 7 };
  const lines = Object.entries(settings).map(([key, value]) => ["config", "set", key, String(value)]);
  for (const { code, stderr } of await runAll(place, lines)) assert.equal(code, 0, stderr);
  assert.deepEqual(readHome(place, "config.json"), settings);
});

test("a file that is changed while a restore waits for it is not overwritten", async (t) => {
  const place = createPlace(t);
  place.write("a", "one\n");
  const input = JSON.stringify({ description: "works", files_modified: ["a"] });
  const made = await runCli(place, ["call", "create_checkpoint", "--args", input, "--json"]);
  const { data } = JSON.parse(made.stdout) as { data: { checkpoint_id: string } };
  const edited = ["call", "edit_file", "path=a", "old_string=one", "new_string=two", "--yes"];
  assert.equal((await runCli(place, edited)).code, 0);
  const file = join(place.folder, "a");
  const { exclusively } = createFileOperations(join(place.home, "state", "changes"));
  const [restored] = await Promise.all([
    runCli(place, ["restore", data.checkpoint_id]),
    exclusively([file], async () => {
      // With too few turns of the event loop the restore has not begun, and the test only proves less.
      for (let turn = 0; turn < 2000; turn += 1) await new Promise(setImmediate);
      place.write("a", "by another program\n");
    }),
  ]);
  assert.equal(restored.code, 1, restored.stdout);
  assert.match(restored.stderr, /1 of its files has unrecorded changes; nothing was restored/);
  assert.equal(readFileSync(file, "utf8"), "by another program\n");
});
