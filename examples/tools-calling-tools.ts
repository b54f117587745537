// A tool can run other tools: each call goes through the whole pipeline, with the same policy, session and context.
import assert from "node:assert/strict";
import { ToolError, createEngine, defineTool, list, number, object } from "toolwright";

const convert = defineTool({
  name: "convert",
  description: "Converts kroner to euros.",
  input: object({ kroner: number("How many", { min: 0 }) }),
  risk: "low",
  run: ({ kroner }) => ({ euros: kroner / 10 }),
});
const sum = defineTool({
  name: "sum_up",
  description: "Sums up prices in euros.",
  input: object({ prices: list(number()) }),
  risk: "low",
  async run({ prices }, { run }) {
    let euros = 0;
    for (const kroner of prices) {
      const result = await run("convert", { kroner });
      // `run` does not reject either: an inner failure is a value, and the tool decides what it means.
      if (!result.ok) throw new ToolError(result.error.code, `price ${kroner}: ${result.error.message}`);
      euros += (result.data as { readonly euros: number }).euros;
    }
    return { euros };
  },
});

const engine = createEngine({ tools: [convert, sum] });
const received: string[] = [];
engine.on((event) => event.type === "call.received" && received.push(`${event.callId} ${event.name}`));

const total = await engine.run({ id: "c1", name: "sum_up", input: { prices: [10, 30] } });
assert.ok(total.ok);
console.log(total.data, received);
assert.deepEqual(total.data, { euros: 4 });
assert.deepEqual(received, ["c1 sum_up", "c1.1 convert", "c1.2 convert"]);

const failed = await engine.run({ id: "c2", name: "sum_up", input: { prices: [-1] } });
assert.ok(!failed.ok);
console.log(failed.error.message);
assert.equal(failed.error.code, "INVALID_INPUT");
await engine.close();
