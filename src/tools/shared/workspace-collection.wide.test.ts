import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { scopedCollection, addWithin, workspaceCollection } from "./collections.ts";
import { runs } from "../../../test/support/property-runs.ts";

test("one workspace never sees the documents of another", async () => {
  const collections = createMemoryCollections();
  const [one, other] = ["/a", "/b"].map((root) => workspaceCollection({ root, collections }, { name: "x" }));
  await one?.set("key", 1);
  assert.equal(await other?.get("key"), undefined);
  assert.deepEqual(await other?.list(), []);
  assert.equal(await other?.delete("key"), false);
  assert.deepEqual(await one?.list(), [{ key: "key", value: 1 }]);
});

test("no two owners and keys are ever the same document", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 12 }), async (pairs) => {
      const collection = createMemoryCollections().open("x");
      const different = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]));
      for (const [name, [owner, key]] of different) await scopedCollection(collection, owner).set(key, name);
      for (const [name, [owner, key]] of different) {
        assert.equal(await scopedCollection(collection, owner).get(key), name);
      }
      for (const owner of new Set(pairs.map(([one]) => one))) {
        const own = [...different.values()].filter(([one]) => one === owner);
        assert.equal((await scopedCollection(collection, owner).list()).length, own.length);
      }
    }),
    { numRuns: runs(100) },
  );
});

test("many who add at once never make more than there may be", async () => {
  const collection = createMemoryCollections().open("x");
  await collection.set("first", 0);
  const added = await Promise.all(
    Array.from({ length: 40 }, (_, index) => addWithin(collection, `key${index}`, index, 10)),
  );
  const kept = await collection.list();
  assert.ok(kept.length <= 10, `${kept.length}`);
  assert.equal(kept.length - 1, added.filter((isAdded) => isAdded).length);
  assert.equal(await addWithin(createMemoryCollections().open("y"), "only", 1, 1), true);
});

test("a document rejected at the limit does not remove a newer one with the same key", async () => {
  const inner = createMemoryCollections().open("x");
  await inner.set("full", 0);
  const collection = {
    ...inner,
    async list(options = {}) {
      const documents = await inner.list(options);
      await inner.set("key", "theirs");
      return documents;
    },
  };
  assert.equal(await addWithin(collection, "key", "mine", 1), false);
  assert.equal(await inner.get("key"), "theirs");
});
