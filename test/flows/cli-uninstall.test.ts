// Removing the state: what is removed, what stays, and when nothing is removed.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { openStore } from "../../src/store/open-store.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

interface Used extends Place {
  readonly state: string;
}

/** A place with a store, a config file and a link out of the state. */
async function used(t: TestContext): Promise<Used> {
  const place = createPlace(t);
  const state = join(place.home, "state");
  const store = await openStore({ folder: state });
  await store.close();
  writeFileSync(join(place.home, "config.json"), "{}");
  place.write("mine", "mine\n");
  mkdirSync(join(state, "trash", "deep"), { recursive: true });
  symlinkSync(place.folder, join(state, "trash", "deep", "out"));
  symlinkSync(place.folder, join(state, "reports"));
  return { ...place, state };
}

const isWhole = ({ folder, state }: Used): boolean =>
  readFileSync(join(folder, "mine"), "utf8") === "mine\n" && existsSync(join(state, "toolwright.db"));

test("uninstall --state --yes removes the state, follows no link, and leaves settings and other files", async (t) => {
  const place = await used(t);
  writeFileSync(join(place.state, "notes.txt"), "not of a store\n");
  const { code, stdout, stderr } = await runCli(place, ["uninstall", "--state", "--yes"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /toolwright\.db +\d+ KB +calls, sessions, approvals and trust\n/);
  assert.match(stdout, /notes\.txt +1 KB +not from Toolwright: it stays\n/);
  assert.match(stdout, /^\d+ KB would be removed, for good\nremoved\n$/m);
  assert.deepEqual(readdirSync(place.state), ["notes.txt"]);
  assert.equal(readFileSync(join(place.folder, "mine"), "utf8"), "mine\n");
  assert.ok(existsSync(join(place.home, "config.json")));
  const again = await runCli(place, ["uninstall", "--state", "--yes"]);
  assert.match(again.stdout, /^there is no state to remove\n/);
});

test("an empty folder of state is removed too, and a store elsewhere with the one that all share", async (t) => {
  const place = await used(t);
  const store = join(dirname(place.folder), "store");
  await (await openStore({ folder: store })).close();
  const args = ["uninstall", "--state", "--yes", "--store", store, "--json"];
  const { code, stdout } = await runCli(place, args);
  const { removed, entries } = JSON.parse(stdout) as { removed: boolean; entries: { path: string }[] };
  assert.deepEqual([code, removed], [0, true]);
  for (const folder of [store, place.state]) {
    assert.ok(entries.some(({ path }) => path === join(folder, "toolwright.db")));
    assert.ok(!existsSync(folder), folder);
  }
});

for (const { what, args, code, says } of [
  { what: "without --state", args: [], code: 2, says: /missing --state\n.*npm uninstall -g toolwright/ },
  {
    what: "without a terminal and --yes",
    args: ["--state"],
    code: 3,
    says: /run toolwright uninstall --state --yes/,
  },
  { what: "as JSON without --yes", args: ["--state", "--json"], code: 0, says: /"removed":false/ },
  { what: "with an argument", args: ["--state", "x"], code: 2, says: /unexpected argument: x/ },
])
  test(`uninstall ${what} removes nothing`, async (t) => {
    const place = await used(t);
    const { code: given, stdout, stderr } = await runCli(place, ["uninstall", ...args]);
    assert.equal(given, code, stderr);
    assert.match(`${stdout}${stderr}`, says);
    assert.ok(isWhole(place));
  });

test("while a process uses the store nothing is removed", async (t) => {
  const place = await used(t);
  await using _store = await openStore({ folder: place.state });
  const { code, stderr } = await runCli(place, ["uninstall", "--state", "--yes"]);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`in use by process ${process.pid}\\n.*nothing was changed`));
  assert.ok(isWhole(place));
});

test("a store that cannot be read is not removed: a process may use it", async (t) => {
  const place = await used(t);
  writeFileSync(join(place.state, "toolwright.db"), "damaged ".repeat(1000));
  const { code, stderr } = await runCli(place, ["uninstall", "--state", "--yes"]);
  assert.equal(code, 1);
  assert.match(stderr, /cannot be read, so another process may use it\n.*nothing was removed/);
  assert.ok(isWhole(place));
});

test("a folder of state that is a link is refused", async (t) => {
  const place = await used(t);
  const store = join(dirname(place.folder), "link");
  symlinkSync(place.state, store);
  const { code, stderr } = await runCli(place, ["uninstall", "--state", "--yes", "--store", store]);
  assert.equal(code, 2);
  assert.match(stderr, /link is a link or a file, and links are not followed\n.*nothing was removed/);
  assert.ok(isWhole(place));
});
