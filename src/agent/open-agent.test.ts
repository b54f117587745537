import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../test/support/agents/agent.ts";
import { echoTool } from "../../test/support/agents/agent-tools.ts";
import { textOf } from "../../test/support/engines/engine.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createMemoryCollections } from "../util/json/memory-collections.ts";
import type { LoadedSkill, Skills } from "../core/skills.ts";
import { memoryTools } from "../tools/memory/family.ts";
import { triggerHotSwap } from "../tools/session/trigger-hot-swap.ts";
import { writeMemoryDump } from "../tools/session/write-memory-dump.ts";
import { openTranscripts } from "./sessions/open-transcripts.ts";

function skillsOf(names: readonly string[]): Skills {
  const loaded = names.map((name): LoadedSkill => ({
    skill: { name, description: `About ${name}.`, folder: "/", groups: [], tools: [], isTrusted: true },
    text: `Work by the rules of ${name}.`,
    files: [],
  }));
  return {
    list: async () => ({ skills: loaded.map(({ skill }) => skill), problems: [] }),
    load: async (name) => loaded.find(({ skill }) => skill.name === name),
  };
}

const swap = (...skills: readonly string[]) => ({ name: "trigger_hot_swap", input: { skills } });
const forget = (...skills: readonly string[]) => ({
  name: "trigger_hot_swap",
  input: { skills, preserve_history: false },
});

test("a hot swap replaces the one before in the next request and survives a restart", async (t) => {
  const skills = skillsOf(["review", "repair"]);
  const engine = { tools: [triggerHotSwap(skills)] };
  const { agent, model, folder } = await openAgent(
    t,
    [{ calls: [swap("review")] }, { calls: [swap("repair")] }, { text: "Swapped." }],
    { engine, skills },
  );
  await agent.send("Swap.");
  const rules = model.requests.map(
    ({ instructions }) => /Work by the rules of (\w+)/.exec(instructions)?.[1],
  );
  assert.deepEqual(rules, [undefined, "review", "repair"]);
  assert.match(model.requests[0]?.instructions ?? "", /review: About review\./);
  assert.equal(agent.messages().length, 6);
  await agent.close();
  const again = await openAgent(t, [{ text: "." }], { engine, skills, folder });
  await again.agent.send("Go on.");
  assert.match(again.model.requests[0]?.instructions ?? "", /Work by the rules of repair/);
});

test("a hot swap that clears the history keeps the running turn, and the store has everything", async (t) => {
  const skills = skillsOf(["review"]);
  const { agent, model, collections } = await openAgent(
    t,
    [{ text: "Noted." }, { calls: [forget("review")] }, { text: "Anew." }],
    { engine: { tools: [triggerHotSwap(skills)] }, skills },
  );
  await agent.send("The word is blue.");
  await agent.send("Forget.");
  assert.deepEqual(inShort(model.requests[2]?.messages ?? []), [
    "user: Forget.",
    "assistant: (call-1-0)",
    "tool: call-1-0 ok",
  ]);
  const entries = await openTranscripts(collections).entries("s");
  assert.match(JSON.stringify(entries), /The word is blue/);
});

test("a dump has the masked messages, goals and decisions of the session", async (t) => {
  const folder = join(temporaryFolder(t), "dumps");
  const collections = createMemoryCollections();
  const tools = [...memoryTools({ root: "/", collections }), writeMemoryDump(folder), echoTool().tool];
  const { agent } = await openAgent(
    t,
    [
      {
        text: "I begin.",
        calls: [
          { name: "create_goal", input: { description: "ship it" } },
          { name: "record_decision", input: { description: "database", rationale: "SQLite, it is there" } },
        ],
      },
      { calls: [{ name: "write_memory_dump", input: { filename: "dump.md" } }] },
      { text: "Dumped." },
    ],
    { engine: { tools }, collections },
  );
  await agent.send("The key is sk-ant-0123456789abcdefghij, remember.");
  const last = agent.messages()[4];
  assert.ok(last?.role === "tool");
  assert.match(last.results.map(textOf).join(), /Wrote \d+ bytes/);
  const dump = readFileSync(join(folder, "dump.md"), "utf8");
  assert.match(dump, /## Goals\n\n- goal-\w+ \[active, medium\]: ship it\n/);
  assert.match(dump, /## Decisions\n\n- database\n {2}SQLite, it is there\n/);
  assert.match(dump, /### 2\. assistant\n\n> I begin\.\n> \[call create_goal \{"description":"ship it"\}\]/);
  assert.match(dump, /### 3\. tool\n\n> \[create_goal\]/);
  assert.doesNotMatch(dump, /0123456789/);
});

test("reasoning is stored by turn, goal and trace, and the agent can read it", async (t) => {
  const collections = createMemoryCollections();
  const tools = memoryTools({ root: "/", collections });
  const { agent, events } = await openAgent(
    t,
    [
      { reasoning: "Where to begin?", calls: [{ name: "create_goal", input: { description: "ship it" } }] },
      { reasoning: "Now I know.", calls: [{ name: "read_reasoning", input: {} }] },
      { text: "Done." },
    ],
    { engine: { tools }, collections },
  );
  await agent.send("Go.");
  const answer = agent.messages()[4];
  assert.ok(answer?.role === "tool" && answer.results[0]?.ok === true);
  const [first, second] = eventsOf(events, "turn.started").map(({ traceId }) => traceId);
  const { reasoning } = answer.results[0].data as {
    readonly reasoning: readonly { readonly text: string; readonly turn: number; readonly traceId: string }[];
  };
  assert.deepEqual(
    reasoning.map(({ text, turn, traceId }) => [text, turn, traceId]),
    [
      ["Now I know.", 2, second],
      ["Where to begin?", 1, first],
    ],
  );
  assert.match(JSON.stringify(reasoning[0]), /"goalId":"goal-/);
  assert.match(JSON.stringify(reasoning[1]), /"goalId":null/);
  const shown = eventsOf(events, "model.reasoning").map(({ text }) => text);
  assert.equal(shown.join(""), "Where to begin?Now I know.");
});

test("the system prompt stays the same while goals change, and has them after messages are dropped", async (t) => {
  const collections = createMemoryCollections();
  const tools = memoryTools({ root: "/", collections });
  const long = "What was said is said again. ".repeat(200);
  const { agent, model } = await openAgent(
    t,
    (_, index) =>
      index === 0
        ? { calls: [{ name: "create_goal", input: { description: "ship the lamp" } }] }
        : { text: long },
    { engine: { tools }, collections },
  );
  for (const text of ["Go.", "Go on.", "And on."]) await agent.send(text);
  assert.equal(new Set(model.requests.map(({ instructions }) => instructions)).size, 1);
  assert.match(JSON.stringify(model.requests[1]?.messages), /ship the lamp/);
  assert.equal(await agent.compact(), true);
  await agent.send("The end?");
  assert.match(model.requests.at(-1)?.instructions ?? "", /## Goals\n- ship the lamp/);
});
