import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { databasePath, openStore } from "../../src/store/open-store.ts";
import { loadSqlite } from "../../src/system/sqlite.ts";
import { answer, call } from "../../src/app/host/testing/contracts/journal-calls.ts";
import { STORE_VERSIONS, unpackStore } from "../support/files/earlier-store.ts";
import { createPlace, runCli } from "./support/cli.ts";

/** The first version in which calls wait for a decision. */
const SUSPENDS = "version-4";

/** The first version that stores the machine of a call, and its share of the tokens of the model. */
const TRACKS = "version-7";
/** Returns what a table or an index is, without the order of columns that were added later. The counts of calls have their tables when they are first needed. */
function schemaOf(folder: string): Readonly<Record<string, unknown>> {
  using database = new (loadSqlite().DatabaseSync)(databasePath(folder), { readOnly: true });
  const names = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE tbl_name NOT GLOB 'figures*' ORDER BY name")
    .all();
  const columns = database
    .prepare("SELECT name, type, \"notnull\" FROM pragma_table_info('calls') ORDER BY name")
    .all();
  const [version, problems] = ["user_version", "integrity_check"].map((pragma) =>
    database.prepare(`PRAGMA ${pragma}`).all(),
  );
  return { names, columns, version, problems };
}

for (const version of STORE_VERSIONS)
  test(`a store of ${version} is migrated: calls, a killed call, a session, memory and what waits for a decision`, async (t) => {
    const place = createPlace(t);
    const folder = join(place.home, "state");
    unpackStore(version, folder);
    const problems: string[] = [];
    const store = await openStore({ folder, onProblem: (problem) => problems.push(problem) });
    const calls = (await store.journal.list()).toReversed();
    assert.deepEqual(
      calls.map(({ name, state, answer: given }) => [name, state, given === null ? null : given.ok]),
      [
        ["write_file", "answered", true],
        ["read_file", "answered", false],
        ["remember", "answered", true],
        ["write_file", "answered", true],
        ["delete_file", "answered", true],
        ["write_file", "answered", true],
        ["publish", ...(version < SUSPENDS ? ["answered", false] : ["pending", null])],
        ["shell", "interrupted", false],
      ],
    );
    for (const { name, callId, subject, machine, usage } of calls) {
      const isTracked = version >= TRACKS && name !== "publish";
      assert.deepEqual([subject, machine], [null, isTracked ? "vm" : null]);
      assert.equal(usage?.inputTokens, isTracked && callId === "call_1" ? 549 : undefined);
    }
    assert.deepEqual((await store.journal.list({ outcome: "failed" })).length, version < SUSPENDS ? 3 : 2);
    const memory = await store.collections.open("memory").list();
    assert.deepEqual(
      memory.map(({ value }) => (value as { readonly value: string }).value),
      ["green"],
    );
    if (version >= SUSPENDS) await claimIn(store, folder);
    await store.journal.receive(call("new", { subject: "ada" })).settle(answer("new", "5"));
    await store.close();
    assert.deepEqual(problems, []);
    const fresh = await openStore({ folder: join(place.home, "fresh") });
    await fresh.close();
    assert.deepEqual(schemaOf(folder), schemaOf(join(place.home, "fresh")));
    const [session = ""] = calls.flatMap(({ callId, session: id }) =>
      callId === "call_1" ? [id ?? ""] : [],
    );
    assert.match((await runCli(place, ["sessions", "export", session])).stdout, /It is written\./);
    assert.match(
      (await runCli(place, ["trace", "--all"])).stdout,
      /write_file[\s\S]*INTERRUPTED|INTERRUPTED[\s\S]*write_file/,
    );
  });

type Opened = Awaited<ReturnType<typeof openStore>>;

/** Claims the call that waits, with the token that the earlier version gave for it, and answers it. */
async function claimIn({ journal }: Opened, folder: string): Promise<void> {
  using database = new (loadSqlite().DatabaseSync)(databasePath(folder), { readOnly: true });
  const row = database
    .prepare("SELECT id, suspended ->> '$.secret' AS secret FROM calls WHERE owner = 0")
    .get();
  const claimed = await journal.claim([row?.["id"], row?.["secret"]].join("-"));
  assert.equal(claimed?.record.callId, "waiting");
  await claimed.entry?.settle(answer("waiting", "5"));
  assert.equal((await journal.list({ callId: "waiting" }))[0]?.state, "answered");
}

for (const version of STORE_VERSIONS.slice(0, -1))
  test(`a migration of a store of ${version} that fails in its last step is rolled back, and succeeds once it can`, async (t) => {
    const folder = join(createPlace(t).home, "state");
    unpackStore(version, folder);
    const other = new (loadSqlite().DatabaseSync)(databasePath(folder));
    t.after(() => other.close());
    // The name of an index of the last step.
    other.exec("CREATE TABLE calls_by_subject (a)");
    const before = schemaOf(folder);
    await assert.rejects(openStore({ folder }), { code: "UNAVAILABLE", hint: /toolwright store check/ });
    assert.deepEqual(schemaOf(folder), before);
    other.exec("DROP TABLE calls_by_subject");
    const store = await openStore({ folder });
    assert.equal((await store.journal.list()).length, 8);
    await store.close();
  });

test("there is a store of every version since the first in use, also of this one", async (t) => {
  const folder = join(createPlace(t).home, "state");
  await (await openStore({ folder })).close();
  using database = new (loadSqlite().DatabaseSync)(databasePath(folder), { readOnly: true });
  const newest = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  assert.deepEqual(
    STORE_VERSIONS,
    Array.from({ length: newest - 1 }, (_, index) => `version-${index + 2}`),
  );
});
