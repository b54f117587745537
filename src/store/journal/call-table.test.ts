import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { call } from "../../app/host/testing/contracts/journal-calls.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { toRow } from "./call-row.ts";
import { createCallTable } from "./call-table.ts";
import { openDatabase } from "../database/database.ts";

test("a call that another process has already inserted is updated, and refused once it has an answer", async (t) => {
  const database = await openDatabase(join(temporaryFolder(t), "toolwright.db"));
  t.after(() => database.close());
  const table = createCallTable(database);
  const row = toRow(call("a"));
  const key = { owner: 1, number: 1 };
  const id = table.put(row, key);
  assert.equal(table.put({ ...row, startedAt: 2, effects: "unsafe" }, key), id);
  assert.equal(table.put({ ...row, state: "answered", answer: "{}" }, key), id);
  assert.equal(table.put({ ...row, state: "answered", answer: "null" }, key), "refused");
  assert.notEqual(table.put(row, { owner: 2, number: 1 }), id);
  assert.deepEqual(
    table.list({}, []).map(({ row: { state, answer } }) => [state, answer]),
    [
      ["open", null],
      ["answered", "{}"],
    ],
  );
});
