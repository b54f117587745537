// A tool can yield its answer in parts: each part is emitted as progress, and together they are the answer.
import assert from "node:assert/strict";
import { createEngine, defineTool, integer, object } from "toolwright";

const story = defineTool({
  name: "story",
  description: "Tells a story line by line.",
  risk: "low",
  async *run() {
    for (const line of ["once\n", "upon\n", "a time\n"]) yield line;
  },
});
let cleanedUp = false;
const squares = defineTool({
  name: "squares",
  description: "Squares of the first numbers.",
  input: object({ count: integer() }),
  risk: "low",
  async *run({ count }) {
    try {
      for (let n = 1; n <= count; n += 1) yield { n, square: n * n };
    } finally {
      cleanedUp = true;
    }
  },
});

const engine = createEngine({ tools: [story, squares] });
const heard: unknown[] = [];
engine.on((event) => event.type === "call.progressed" && heard.push(event.progress));

const spoken = await engine.run({ id: "1", name: "story", input: {} });
console.log(spoken.content, heard);
assert.deepEqual(spoken.content, [{ type: "text", text: "once\nupon\na time\n" }]);
assert.deepEqual(heard[0], { stream: "stdout", text: "once\n" });
assert.equal(heard.length, 3);

const listed = await engine.run({ id: "2", name: "squares", input: { count: 2 } });
assert.ok(listed.ok);
assert.deepEqual(listed.data, [
  { n: 1, square: 1 },
  { n: 2, square: 4 },
]);

// A cancelled call ends the generator: its `finally` runs.
cleanedUp = false;
const controller = new AbortController();
engine.on((event) => event.type === "call.progressed" && controller.abort());
const cut = await engine.run(
  { id: "3", name: "squares", input: { count: 1_000_000 } },
  { signal: controller.signal },
);
assert.ok(!cut.ok);
assert.equal(cut.error.code, "CANCELLED");
assert.ok(cleanedUp);
await engine.close();
