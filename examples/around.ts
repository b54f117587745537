// Wrappers around the execution of every call: a trace and a cache.
import assert from "node:assert/strict";
import { createEngine, defineTool, integer, object, type Around } from "toolwright";

let runs = 0;
const square = defineTool({
  name: "square",
  description: "Squares a number.",
  input: object({ n: integer() }),
  risk: "low",
  effects: "none",
  run({ n }) {
    runs += 1;
    return { result: n * n };
  },
});

const trace: Around = async ({ name, context }, next) => {
  const startedAt = performance.now();
  try {
    return await next();
  } finally {
    console.log(`${name}, attempt ${context.attempt}: ${Math.round(performance.now() - startedAt)} ms`);
  }
};
const known = new Map<string, unknown>();
const cache: Around = async ({ name, input }, next) => {
  const key = `${name} ${JSON.stringify(input)}`;
  if (!known.has(key)) known.set(key, await next());
  return known.get(key);
};

// The first is the outermost. They run after policy has allowed the call, within its deadline, once per attempt.
const engine = createEngine({ tools: [square], around: [trace, cache] });
for (const id of ["1", "2"]) {
  const result = await engine.run({ id, name: "square", input: { n: 7 } });
  assert.deepEqual(result.ok && result.data, { result: 49 });
}
assert.equal(runs, 1);
await engine.close();
