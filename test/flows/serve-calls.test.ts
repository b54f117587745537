import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

test("calls with one id are told apart by when they were received", async (t) => {
  const place = createPlace(t);
  place.write("notes.txt", "one\n");
  const served = await startServe(t, place);
  for (const path of ["notes.txt", "none.txt"])
    await served.send<"run">("POST", "/api/calls", { id: "twice", name: "read_file", input: { path } });
  const { body: newest } = await served.send<"call">("GET", "/api/calls/twice");
  assert.equal(newest.call.outcome, "TOOL_FAILED");
  const [other] = newest.others;
  assert.deepEqual([newest.others.length, other?.outcome], [1, "ok"]);
  const { body: older } = await served.send<"call">("GET", `/api/calls/twice?at=${other?.receivedAt}`);
  assert.deepEqual([older.call.outcome, older.input], ["ok", { path: "notes.txt" }]);
});
