import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent } from "../../../test/support/agents/agent.ts";

const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const;

test("an answer that matches the schema is the outcome's data, and the schema is in the request", async (t) => {
  const { agent, model } = await openAgent(t, [{ text: '{"sum":3}' }], { outputSchema });
  assert.deepEqual(await agent.send("Add."), { kind: "answered", text: '{"sum":3}', data: { sum: 3 } });
  assert.deepEqual(model.requests[0]?.outputSchema, outputSchema);
  assert.ok(model.requests[0]?.instructions.includes(JSON.stringify(outputSchema)));
});

test("an answer that does not match is returned with the reason and can be corrected", async (t) => {
  const { agent, model } = await openAgent(t, [{ text: "Three." }, { text: "{}" }, { text: '{"sum":3}' }], {
    outputSchema,
  });
  const outcome = await agent.send("Add.");
  assert.ok(outcome.kind === "answered");
  assert.deepEqual(outcome.data, { sum: 3 });
  assert.match(
    inShort(model.requests[1]?.messages ?? []).at(-1) ?? "",
    /does not match the schema: it is not JSON/,
  );
  assert.match(inShort(model.requests[2]?.messages ?? []).at(-1) ?? "", /\/sum is missing/);
});

test("a third answer that does not match is a failure of the model", async (t) => {
  const { agent, model } = await openAgent(t, () => ({ text: "Three." }), { outputSchema });
  const outcome = await agent.send("Add.");
  assert.ok(outcome.kind === "failed");
  assert.equal(outcome.fault.code, "MODEL_FAILED");
  assert.equal(model.requests.length, 3);
});

test("an unusable schema is rejected before any request", async (t) => {
  await assert.rejects(
    openAgent(t, [], { outputSchema: { type: "nothing" } }),
    /output schema cannot be used/,
  );
});

test("an answer cut at its length limit is continued and becomes one answer", async (t) => {
  const { agent, model } = await openAgent(t, [{ text: '{"su', reason: "length" }, { text: 'm":3}' }], {
    outputSchema,
  });
  const outcome = await agent.send("Add.");
  assert.deepEqual(outcome, { kind: "answered", text: '{"sum":3}', data: { sum: 3 } });
  assert.match(inShort(model.requests[1]?.messages ?? []).at(-1) ?? "", /cut at its length limit/);
});

test("an answer that is cut three times is accepted as it is", async (t) => {
  const { agent } = await openAgent(t, () => ({ text: "la", reason: "length" }));
  assert.deepEqual(await agent.send("Sing."), { kind: "answered", text: "lalala" });
});
