// An agent whose turns are set by the program: the tools of each turn, a call that must come first, and input as it is written.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string } from "toolwright";
import { createAgent, createMemoryCollections } from "toolwright/agent";
import { createScriptedModel } from "toolwright/testing";

const plan = defineTool({
  name: "plan",
  description: "States the plan.",
  input: object({ steps: string("The steps") }),
  risk: "low",
  run: () => "noted",
});
const pieces: string[] = [];
const write = defineTool({
  name: "write_report",
  description: "Writes the report.",
  input: object({ text: string("The report") }),
  risk: "low",
  run: ({ text }) => `${text.length} characters`,
  // The JSON text of the input while the model writes it: for a preview. Nothing is validated or approved yet.
  onInput: ({ text }) => void pieces.push(text),
});

const model = createScriptedModel([
  { calls: [{ name: "plan", input: { steps: "read, then write" } }] },
  { calls: [{ name: "write_report", input: { text: "All is well with the project." } }] },
  { text: "The report is written." },
]);
const engine = createEngine({ tools: [plan, write] });
const agent = await createAgent({
  engine,
  model,
  collections: createMemoryCollections(),
  session: "report",
  identity: { id: "writer", name: "Writer" },
  workspace: "/report",
  instructions: "Write the report.",
  eachTurn: ({ turn }) => (turn === 1 ? { tools: ["plan"], toolUse: "required" } : undefined),
});
const outcome = await agent.send("Go.");
console.log(outcome, pieces);
assert.deepEqual(
  model.requests.map(({ tools, toolUse }) => [tools.length, toolUse]),
  [
    [1, "required"],
    [2, undefined],
    [2, undefined],
  ],
);
assert.deepEqual(JSON.parse(pieces.join("")), { text: "All is well with the project." });
await agent.close();
await engine.close();
