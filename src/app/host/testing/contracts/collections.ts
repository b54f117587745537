import assert from "node:assert/strict";
import type { Collections } from "../../../../core/store/collection.ts";
import { ToolError } from "../../../../core/errors.ts";
import type { Json } from "../../../../core/json.ts";
import { dispose, registerCases, type Cases, type ContractOptions } from "./kit.ts";
import { createRandom } from "./random.ts";

type Open = () => Promise<AsyncDisposable & { readonly collections: Collections }>;

/** Registers the contract of all stored documents as tests: each creates collections without documents. Experimental: cases may be added in a minor version. */
export function testCollections(
  create: () => Promise<Collections & Partial<AsyncDisposable>>,
  options: ContractOptions = {},
): void {
  const open: Open = async () => {
    const collections = await create();
    return { collections, [Symbol.asyncDispose]: () => dispose(collections) };
  };
  registerCases(CASES, open, options);
}

/** How far a collection may exceed its limit before it is trimmed. */
const SLACK = 16;

const CASES: Cases<Open> = {
  "a document is set, read, replaced and deleted by its key": async ({ open }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    assert.equal(await notes.get("a"), undefined);
    await notes.set("a", { text: "one" });
    assert.deepEqual(await notes.get("a"), { text: "one" });
    await notes.set("a", null);
    assert.equal(await notes.get("a"), null);
    assert.equal(await notes.delete("a"), true);
    assert.equal(await notes.delete("a"), false);
    assert.equal(await notes.get("a"), undefined);
  },

  "a collection is the same under its name and separate from all others": async ({ open }) => {
    await using kept = await open();
    await kept.collections.open("a").set("key", 1);
    assert.equal(await kept.collections.open("a").get("key"), 1);
    assert.equal(await kept.collections.open("b").get("key"), undefined);
    assert.deepEqual(await kept.collections.open("b").list(), []);
    assert.equal(await kept.collections.open("b").delete("key"), false);
  },

  "stored documents are copies: changing the value that was set or read changes nothing": async ({
    open,
  }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    const value = { list: [1] };
    await notes.set("a", value);
    value.list.push(2);
    const got = (await notes.get("a")) as { list: number[] };
    got.list.push(3);
    assert.deepEqual(await notes.get("a"), { list: [1] });
  },

  "keys are listed in order, by prefix, up to a limit": async ({ open }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    for (const key of ["b/2", "a/1", "b/1", "b", "b0", "\u{1F600}", "\uFFFD", "é"]) await notes.set(key, key);
    const keys = async (options?: { prefix?: string; limit?: number }): Promise<readonly string[]> =>
      (await notes.list(options)).map(({ key }) => key);
    assert.deepEqual(await keys(), ["a/1", "b", "b/1", "b/2", "b0", "é", "\uFFFD", "\u{1F600}"]);
    assert.deepEqual(await keys({ prefix: "b/" }), ["b/1", "b/2"]);
    assert.deepEqual(await keys({ prefix: "b", limit: 2 }), ["b", "b/1"]);
    assert.deepEqual(await keys({ prefix: "%" }), []);
    assert.deepEqual(await keys({ limit: 0 }), []);
  },

  "changes of one key follow each other: none is lost": async ({ open }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    const addOne = (value: Json | undefined): Json => Number(value ?? 0) + 1;
    await Promise.all(Array.from({ length: 50 }, () => notes.update("count", addOne)));
    assert.equal(await notes.get("count"), 50);
    assert.equal(await notes.update("count", () => undefined), undefined);
    assert.equal(await notes.get("count"), undefined);
  },

  "a change that throws, and a value that is not JSON, change nothing": async ({ open }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    await notes.set("a", 1);
    const fail = (): Json => {
      throw new ToolError("TOOL_FAILED", "on purpose");
    };
    await assert.rejects(notes.update("a", fail), { code: "TOOL_FAILED" });
    await assert.rejects(notes.set("a", (() => 2) as never), { code: "INVALID_INPUT" });
    await assert.rejects(notes.set("\uD800", 2), { code: "INVALID_INPUT" });
    assert.deepEqual(await notes.list(), [{ key: "a", value: 1 }]);
    await notes.set("b", 2);
    assert.equal(await notes.get("b"), 2, "and the next change is made");
  },

  "over its limit a collection removes the least recently written documents, and no other collection does":
    async ({ open }) => {
      await using kept = await open();
      const other = kept.collections.open("other");
      await other.set("old", true);
      const notes = kept.collections.open("notes", { limit: 10 });
      await notes.set("written again", 0);
      for (let count = 0; count < 100; count += 1) {
        await notes.set(`key ${count}`, count);
        await notes.set("written again", count);
      }
      const keys = (await notes.list()).map(({ key }) => key);
      assert.ok(keys.length >= 10 && keys.length <= 10 + SLACK, `${keys.length} are kept`);
      for (const key of ["key 99", "key 95", "written again"]) assert.ok(keys.includes(key), key);
      assert.ok(!keys.includes("key 50"));
      assert.equal(await other.get("old"), true);
    },

  "any JSON under any key is read back unchanged": async ({ open, runs }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    const random = createRandom(2);
    for (let round = 0; round < runs; round += 1) {
      const key = `${random.text(12)}${round}`;
      const value = random.json();
      await notes.set(key, value);
      assert.deepEqual(await notes.get(key), value);
      const listed = await notes.list({ prefix: key });
      assert.deepEqual(listed[0], { key, value });
    }
  },

  "after close every operation is refused": async ({ open }) => {
    await using kept = await open();
    const notes = kept.collections.open("notes");
    await kept.collections.close();
    await kept.collections.close();
    for (const work of [
      () => notes.get("a"),
      () => notes.set("a", 1),
      () => notes.update("a", () => 1),
      () => notes.delete("a"),
      () => notes.list(),
    ]) {
      await assert.rejects(work, { code: "UNAVAILABLE" });
    }
  },
};
