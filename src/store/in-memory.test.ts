import assert from "node:assert/strict";
import test from "node:test";
import { readAll, write } from "../app/host/testing/contracts/artifact-texts.ts";
import { answer, call } from "../app/host/testing/contracts/journal-calls.ts";
import { createMemoryArtifacts, createMemoryJournal } from "./in-memory.ts";

test("over the limit the oldest answered calls are removed, and never an open one", async () => {
  const journal = createMemoryJournal({ limit: 3 });
  const open = journal.receive(call("open"));
  for (const id of ["1", "2", "3", "4"]) await journal.receive(call(id)).settle(answer(id, "done"));
  const ids = async (): Promise<readonly string[]> => (await journal.list()).map(({ callId }) => callId);
  assert.deepEqual(await ids(), ["4", "3", "open"]);
  await open.settle(answer("open", "done"));
  await journal.receive(call("5")).settle(answer("5", "done"));
  assert.deepEqual(await ids(), ["5", "4", "3"]);
  await journal.close();
});

test("calls with one id are told apart by the time at which they were received", async () => {
  const journal = createMemoryJournal();
  for (const receivedAt of [1000, 2000])
    await journal.receive({ ...call("1"), receivedAt }).settle(answer("1", String(receivedAt)));
  const [older, ...others] = await journal.list({ callId: "1", receivedAt: 1000 });
  assert.deepEqual([older?.answer, others], [answer("1", "1000"), []]);
  assert.deepEqual(await journal.list({ callId: "1", receivedAt: 3000 }), []);
  await journal.close();
});

test("in memory 8 MB of the head and 8 MB of the tail are stored", async () => {
  const artifacts = createMemoryArtifacts();
  const mb = 2 ** 20;
  assert.deepEqual(artifacts.storage, { maxBytes: 16 * mb, where: "memory" });
  const { id, size, dropped } = await write(artifacts, [
    "h".repeat(8 * mb),
    "-".repeat(mb),
    "t".repeat(8 * mb),
  ]);
  assert.deepEqual([size, dropped], [17 * mb, mb]);
  assert.equal((await artifacts.read(id, 8 * mb - 1, 2))?.text, `h\n[… ${mb} bytes dropped …]\nt`);
  await artifacts.close();
});

test("an artifact that is discarded while it is written can be closed and is then unknown", async () => {
  const artifacts = createMemoryArtifacts({ maxBytes: 1000, maxTotalBytes: 2000 });
  const forgotten = artifacts.create();
  await forgotten.write("x".repeat(900));
  const others = [await write(artifacts, ["y".repeat(900)]), await write(artifacts, ["z".repeat(900)])];
  await forgotten.write("more");
  assert.equal((await forgotten.close()).size, 904);
  assert.equal(await artifacts.info(forgotten.id), undefined);
  assert.equal(await artifacts.read(forgotten.id, 0, 10), undefined);
  assert.equal(await readAll(artifacts, others[1]?.id ?? ""), "z".repeat(900));
  await artifacts.close();
});
