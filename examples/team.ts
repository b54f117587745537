// An agent that delegates a task to another one. Both follow scripts here; any model can take their place.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { createAgent, createMemoryCollections, createTeam, type TeamHandle } from "toolwright/agent";
import { openModel } from "toolwright/models";
import { agentTools, builtInTools } from "toolwright/tools";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-example-")));
writeFileSync(join(workspace, "notes.txt"), "The launch is on Friday.\n");
const scripts = {
  root: `{"calls": [{"name": "subagent", "input": {"task": "Read notes.txt and say when the launch is.", "tools": ["read_file"]}}]}
{"when": "Friday", "text": "My colleague says Friday."}`,
  child: `{"calls": [{"name": "read_file", "input": {"path": "notes.txt"}}]}
{"when": "Friday", "text": "It is on Friday."}`,
};
for (const [name, script] of Object.entries(scripts)) writeFileSync(join(workspace, name), script);
const models = {
  root: await openModel(`scripted/${join(workspace, "root")}`, { environment: {} }),
  child: await openModel(`scripted/${join(workspace, "child")}`, { environment: {} }),
};

const collections = createMemoryCollections();
const tools = [...builtInTools({ root: workspace, environment: {} }), ...agentTools()];
const engine = createEngine({ workspace: [workspace], tools });
engine.groups.activate("agents");
const team: TeamHandle = createTeam({
  collections,
  limits: { depth: 2, members: 20 },
  open: (member) =>
    createAgent({
      engine,
      collections,
      workspace,
      model: team.share(member.parentSession === undefined ? models.root : models.child),
      ...member,
      instructions: `Be brief.\n\n${member.instructions}`,
    }),
});
team.on((event) => {
  if (event.type === "member.added") console.log(`${event.member.name} works on: ${event.member.task}`);
});
const root = await team.root({ identity: { id: "main", name: "main" }, session: "launch" });

const outcome = await root.send("When is the launch? Have somebody look.");
assert.deepEqual(outcome, { kind: "answered", text: "My colleague says Friday." });

await team.close();
await engine.close();
rmSync(workspace, { recursive: true });
