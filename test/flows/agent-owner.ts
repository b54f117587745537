// A process with an agent in the store named by its first argument, which calls tools without end. It says what it does, a line
// each: "turn" when the model is asked, "ran" when a tool has run, and "held" when a call begins that never ends.
import "../support/programs/end-with-parent.ts";
import { createAgent } from "../../src/agent/create-agent.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { integer, object } from "../../src/schema/define/schema.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { fakeModel } from "../support/models/fake-model.ts";

const [folder = "", holdsAt = ""] = process.argv.slice(2);
const { collections, journal } = await openStore({ folder });
const count = defineTool({
  name: "count",
  description: "Counts.",
  input: object({ number: integer() }),
  risk: "low",
  run({ number }) {
    console.log("ran");
    if (String(number) !== holdsAt) return number;
    console.log("held");
    return new Promise<never>(() => setInterval(() => undefined, 1000));
  },
});
const agent = await createAgent({
  engine: createEngine({ mode: "yolo", journal, tools: [count], timeoutMs: 600_000 }),
  model: fakeModel((request) => {
    console.log("turn");
    const number = request.messages.length;
    // The same ids in every process: what was answered to an earlier call must not be taken for the answer to a later one.
    return { calls: [0, 1, 2].map((place) => ({ name: "count", input: { number: number * 10 + place } })) };
  }),
  collections,
  journal,
  session: "s",
  identity: { id: "a", name: "counter" },
  workspace: folder,
  instructions: "Count.",
});
await agent.send("Count without end.");
