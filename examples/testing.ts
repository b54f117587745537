// Tests of an agent without a model: answers from an array, a fake approver, and a recorded session as a fixture.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string } from "toolwright";
import { createAgent, createMemoryCollections, exportJson } from "toolwright/agent";
import {
  answersOf,
  createFakeApprover,
  createScriptedModel,
  parseSession,
  readSession,
  replay,
} from "toolwright/testing";

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  input: object({ order: string("The order") }),
  risk: "high",
  run: ({ order }) => `refunded ${order}`,
});

const model = createScriptedModel([
  { text: "I refund it.", calls: [{ name: "refund", input: { order: "A7" } }] },
  // Fails if the last message does not contain this text.
  { when: "refunded A7", text: "Done." },
]);
const approver = createFakeApprover(({ input }) => input["order"] === "A7");
const engine = createEngine({ tools: [refund], approver });
const collections = createMemoryCollections();
const identity = { id: "clerk", name: "Clerk" };
const options = { engine, collections, identity, workspace: "/shop", instructions: "Be kind." };
const agent = await createAgent({ ...options, model, session: "first" });
assert.deepEqual(await agent.send("Refund A7."), { kind: "answered", text: "Done." });
assert.deepEqual(
  approver.requests.map(({ tool }) => tool),
  ["refund"],
);
assert.equal(model.requests.length, 2);
await agent.close();

// A session becomes a fixture: JSON for a file beside the test, also from `toolwright sessions export ID --format json`.
const { info, entries } = await readSession(collections, "first");
const fixture = parseSession(exportJson(info, entries));
// Runs it again through the loop with its recorded answers and results; no tool runs.
const replayed = await replay(fixture);
console.log(replayed.outcomes);
assert.equal(replayed.difference, undefined);
// Or only the model's answers are recorded, and the tools of today run.
const again = await createAgent({
  ...options,
  session: "second",
  model: createScriptedModel(answersOf(fixture)),
});
assert.deepEqual(await again.send("Refund A7."), { kind: "answered", text: "Done." });
assert.equal(approver.requests.length, 2);
await again.close();
await engine.close();
