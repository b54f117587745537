import assert from "node:assert/strict";
import { test } from "node:test";
import { createOutputCheck } from "./check-output.ts";

const schema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const;
const check = await createOutputCheck(schema);

for (const text of ['{"sum":3}', ' {"sum": 3}\n', '```json\n{"sum":3}\n```', '```\n{"sum":3}```\n']) {
  test(`${JSON.stringify(text)} is the JSON that it holds`, () => {
    assert.deepEqual(check(text), { data: { sum: 3 } });
  });
}

for (const [text, problem] of [
  ["The sum is 3.", /it is not JSON/],
  ['{"sum":3} and more', /it is not JSON/],
  ["", /it is not JSON/],
  ["{}", /\/sum is missing/],
  ['{"sum":"3"}', /\/sum: expected/],
] as const) {
  test(`${JSON.stringify(text)} does not fit, and it is said why`, () => {
    const output = check(text);
    assert.match("problem" in output ? output.problem : "", problem);
  });
}

test("an unusable schema is rejected at once", async () => {
  await assert.rejects(createOutputCheck({ type: "nothing" }), /the output schema cannot be used/);
});
