// Input that is almost right is coerced; all other problems are returned in one error.
import assert from "node:assert/strict";
import {
  boolean,
  createEngine,
  defineTool,
  integer,
  list,
  object,
  oneOf,
  optional,
  string,
} from "toolwright";

const search = defineTool({
  name: "search",
  description: "Searches the shop.",
  input: object({
    query: string("What to look for", { min: 1 }),
    limit: optional(integer("How many", { min: 1, max: 50 }), 10),
    order: optional(oneOf(["price", "name"])),
    in_stock: optional(boolean()),
    colours: optional(list(string())),
  }),
  risk: "low",
  run: (input) => input,
});
const engine = createEngine({ tools: [search] });

const coerced = await engine.run({
  id: "1",
  name: "search",
  input: { query: "lamp", limit: "5", order: "Price", in_stock: "true", colours: '["red"]' },
});
assert.ok(coerced.ok);
console.log(coerced.data, coerced.meta.coerced);
assert.deepEqual(coerced.data, { query: "lamp", limit: 5, order: "price", in_stock: true, colours: ["red"] });
assert.deepEqual([...(coerced.meta.coerced ?? [])].sort(), ["/colours", "/in_stock", "/limit", "/order"]);

// Defaults are filled in; null for an optional parameter means that it is absent.
const filled = await engine.run({ id: "2", name: "search", input: { query: "lamp", order: null } });
assert.ok(filled.ok);
assert.deepEqual(filled.data, { query: "lamp", limit: 10 });

const wrong = await engine.run({ id: "3", name: "search", input: { limit: 900, ordr: "price" } });
assert.ok(!wrong.ok);
const [seenByModel] = wrong.content;
console.log(seenByModel);
assert.equal(wrong.error.code, "INVALID_INPUT");
const problems = (wrong.error.details?.["problems"] ?? []) as readonly { kind: string; path: string }[];
assert.deepEqual(problems.map(({ kind, path }) => `${kind} ${path}`).sort(), [
  "missing /query",
  "unknown /ordr",
  "value /limit",
]);
await engine.close();
