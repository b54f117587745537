import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { createSummaries, keyOf } from "./summaries.ts";

const SUMMARY = {
  at: 0,
  method: "GET",
  scheme: "http",
  host: "a",
  port: 80,
  path: "/",
  query: "",
  status: 200,
  type: "",
  sent: 0,
  received: 0,
  ms: 0,
};

test("requests of two processes get different numbers, and both list all of them", async () => {
  const collection = createMemoryCollections().open("requests");
  const [one, other] = [createSummaries(collection), createSummaries(collection)];
  const added = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).add(SUMMARY)),
  );
  const ids = Array.from({ length: 40 }, (_, index) => `r${index + 1}`);
  assert.deepEqual(added.map(({ id }) => id).toSorted(), ids.toSorted());
  for (const summaries of [one, other, createSummaries(collection)])
    assert.deepEqual(
      (await summaries.list()).map(({ id }) => id),
      ids,
    );
});

for (const dropped of [0, 1, 2, 7, 9, 10]) {
  test(`after the ${dropped} oldest of ten were dropped they are not listed, and no number is used again`, async () => {
    const collection = createMemoryCollections().open("requests");
    const summaries = createSummaries(collection);
    for (let index = 0; index < 10; index += 1) await summaries.add(SUMMARY);
    assert.equal((await summaries.list()).length, 10);
    for (let number = 1; number <= dropped; number += 1) await collection.delete(keyOf(number));
    assert.equal((await summaries.list()).length, 10 - dropped);
    assert.equal((await summaries.add(SUMMARY)).id, "r11");
    assert.equal((await summaries.list()).length, 11 - dropped);
  });
}
