// An agent: a model, an engine, and a stored conversation. The model follows a script; with a key in the environment,
// "anthropic/claude-sonnet-4-5" or any other id takes its place.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { createAgent, defaultInstructions, exportMarkdown, openTranscripts } from "toolwright/agent";
import { openModel } from "toolwright/models";
import { openStore } from "toolwright/store";
import { builtInTools } from "toolwright/tools";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-example-")));
writeFileSync(join(workspace, "notes.txt"), "The launch is on Friday.\n");
writeFileSync(
  join(workspace, "script.jsonl"),
  `{"text": "I shall look.", "calls": [{"name": "read_file", "input": {"path": "notes.txt"}}]}
{"when": "Friday", "text": "The launch is on Friday."}`,
);

const { journal, artifacts, collections, ...store } = await openStore({ folder: join(workspace, "state") });
const tools = builtInTools({ root: workspace, environment: {}, collections });
const engine = createEngine({ workspace: [workspace], tools, journal, artifacts });
const identity = { id: "helper", name: "Helper" };
const agent = await createAgent({
  engine,
  collections,
  journal,
  identity,
  workspace,
  model: await openModel(`scripted/${join(workspace, "script.jsonl")}`, { environment: process.env }),
  session: "launch",
  instructions: defaultInstructions({ workspace, mode: "auto", date: new Date(), agent: identity }),
  budget: { turns: 10, timeMs: 60_000 },
});
agent.on((event) => {
  if (event.type === "model.text") process.stdout.write(event.text);
  if (event.type === "turn.ended")
    console.log(`\n[turn ${event.turn}: ${event.usage.inputTokens} tokens in]`);
});

const outcome = await agent.send("When is the launch?");
assert.deepEqual(outcome, { kind: "answered", text: "The launch is on Friday." });
await agent.close();

const transcripts = openTranscripts(collections);
const [transcript] = await transcripts.list({ workspace });
assert.equal(transcript?.title, "When is the launch?");
assert.match(exportMarkdown(transcript, await transcripts.entries(transcript.id)), /The launch is on Friday/);

await engine.close();
await store.close();
rmSync(workspace, { recursive: true });
