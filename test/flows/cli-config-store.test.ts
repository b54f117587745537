import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/store/open-store.ts";
import { answer, call } from "../../src/app/host/testing/contracts/journal-calls.ts";
import { BOUND_BY_PERMISSIONS } from "../support/faults/child-script.ts";
import { createPlace, runCli, runProcess } from "./support/cli.ts";

test("a store that is not writable exits 1 with a hint; in memory the call works", async (t) => {
  const place = createPlace(t);
  place.write("a", "text\n");
  const store = join(dirname(place.folder), "locked");
  mkdirSync(store, { mode: 0o555 });
  const under = BOUND_BY_PERMISSIONS;
  const denied = await runProcess(place, ["call", "read_file", "path=a", "--store", store], { under });
  assert.equal(denied.code, 1, denied.stderr);
  assert.match(denied.stderr, /store.*locked/);
  assert.match(denied.stderr, /writable|another store/);
  const memory = await runProcess(place, ["call", "read_file", "path=a", "--store", ":memory:"], { under });
  assert.equal(memory.stdout, "     1\ttext\n", memory.stderr);
  const checkup = await runProcess(place, ["doctor", "--store", store], { under });
  assert.equal(checkup.code, 1);
  assert.match(checkup.stdout, /BROKEN +store/);
});

test("calls are stored for keepDays days, 90 by default", async (t) => {
  const place = createPlace(t);
  const config = join(place.home, "config.json");
  const store = await openStore({ folder: join(place.home, "state") });
  await store.journal
    .receive(call("old", { receivedAt: Date.now() - 100 * 24 * 60 * 60 * 1000 }))
    .settle(answer("old", "done"));
  // The newest call is never deleted.
  await store.journal.receive(call("new")).settle(answer("new", "done"));
  await store.close();
  writeFileSync(config, '{"keepDays": 101}');
  assert.equal((await runCli(place, ["trace", "old"])).code, 0);
  writeFileSync(config, "{}");
  assert.equal((await runCli(place, ["trace", "old"])).code, 2);
  writeFileSync(config, '{"keepDays": 0}');
  assert.match((await runCli(place, ["trace"])).stderr, /keepDays: expected at least 1, got integer 0/);
});
