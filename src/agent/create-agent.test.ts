import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../test/support/agents/agent.ts";
import { echoTool, heldTool } from "../../test/support/agents/agent-tools.ts";
import { add, codeOf, textOf } from "../../test/support/engines/engine.ts";
import { fakeModel } from "../../test/support/models/fake-model.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createKey, CurrentAgent, provide } from "../core/context.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { ToolError } from "../core/errors.ts";
import { createMemoryCollections } from "../util/json/memory-collections.ts";
import { CurrentTurn } from "../core/agent/turn.ts";
import { openTranscripts } from "./sessions/open-transcripts.ts";

const ADD = { name: "add", input: { a: 1, b: 2 } };

test("a message leads to calls, their results go to the model, and its last answer is the outcome", async (t) => {
  const { agent, model, events } = await openAgent(
    t,
    [{ text: "I will add.", calls: [ADD, { name: "add", input: { a: 3, b: 4 } }] }, { text: "3 and 7." }],
    { engine: { tools: [add] } },
  );
  assert.deepEqual(await agent.send("Add them."), { kind: "answered", text: "3 and 7." });
  assert.deepEqual(inShort(agent.messages()), [
    "user: Add them.",
    "assistant: I will add. (call-0-0) (call-0-1)",
    "tool: call-0-0 ok, call-0-1 ok",
    "assistant: 3 and 7.",
  ]);
  const results = model.requests[1]?.messages.at(-1);
  assert.ok(results?.role === "tool");
  assert.deepEqual(results.results.map(textOf), ['{"sum":3}', '{"sum":7}']);
  assert.deepEqual(
    eventsOf(events, "agent.state").map(({ state }) => state),
    ["waiting_for_model", "executing_tools", "waiting_for_model", "done"],
  );
  assert.equal(agent.state, "done");
});

test("everything is stored in the order of the events", async (t) => {
  const { agent, collections } = await openAgent(t, [{ calls: [ADD] }, { text: "3" }], {
    engine: { tools: [add] },
  });
  await agent.send("Add them.");
  const entries = await openTranscripts(collections).entries("s");
  const kinds = entries.map((entry) => {
    if (entry.kind === "message") return `${entry.message.role} ${entry.turn}`;
    return entry.kind === "state" ? entry.state : entry.kind;
  });
  assert.deepEqual(kinds, [
    "user 1",
    "waiting_for_model",
    "usage",
    "assistant 1",
    "executing_tools",
    "tool 1",
    "waiting_for_model",
    "usage",
    "assistant 2",
    "done",
  ]);
});

test("a call is stored before it runs", async (t) => {
  const kept: (readonly string[])[] = [];
  const collections = createMemoryCollections();
  const look = defineTool({
    name: "look",
    description: "Looks at what is kept.",
    risk: "low",
    async run() {
      const entries = await openTranscripts(collections).entries("s");
      kept.push(inShort(entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []))));
      return "";
    },
  });
  const { agent } = await openAgent(t, [{ calls: [{ name: "look", input: {} }] }, { text: "." }], {
    engine: { tools: [look] },
    collections,
  });
  await agent.send("Look.");
  assert.deepEqual(kept, [["user: Look.", "assistant: (call-0-0)"]]);
});

test("a call sees its agent, its turn and what the host program provides", async (t) => {
  const key = createKey<string>("Word");
  const seen: unknown[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks around.",
    risk: "low",
    run(_input, { get }) {
      seen.push([get(CurrentAgent).name, get(CurrentTurn).number, get(key)]);
      return get(CurrentTurn).traceId;
    },
  });
  const { agent, events } = await openAgent(
    t,
    [{ calls: [{ name: "look", input: {} }] }, { calls: [{ name: "look", input: {} }] }, { text: "." }],
    { engine: { tools: [look] }, context: [provide(key, "given")] },
  );
  await agent.send("Look.");
  assert.deepEqual(seen, [
    ["tester", 1, "given"],
    ["tester", 2, "given"],
  ]);
  const traces = eventsOf(events, "turn.started").map(({ traceId }) => traceId);
  assert.equal(new Set(traces).size, 3);
  for (const trace of traces) assert.match(trace, /^[0-9a-f]{32}$/);
});

test("a ceiling limits the agent's calls", async (t) => {
  const { agent } = await openAgent(t, [{ calls: [ADD] }, { text: "." }], {
    engine: { tools: [add] },
    ceilings: [{ tools: ["nothing_*"] }],
  });
  await agent.send("Add.");
  const [, , answer] = agent.messages();
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["DENIED"]);
});

test("a store that fails makes the agent fail before a call runs", async (t) => {
  const { tool, said } = echoTool();
  const memory = createMemoryCollections();
  let isBroken = false;
  const { agent } = await openAgent(
    t,
    () => {
      isBroken = true;
      return { calls: [{ name: "echo", input: { word: "x" } }] };
    },
    {
      engine: { tools: [tool] },
      collections: {
        ...memory,
        open(name, options) {
          const collection = memory.open(name, options);
          return {
            ...collection,
            update: (...given) =>
              isBroken
                ? Promise.reject(new ToolError("UNAVAILABLE", "disk full"))
                : collection.update(...given),
          };
        },
      },
    },
  );
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "failed");
  assert.deepEqual([outcome.fault.code, said], ["UNAVAILABLE", []]);
});

test("another model is used from the next request on", async (t) => {
  const { agent, model } = await openAgent(t, [{ text: "old" }]);
  await agent.send("One.");
  const other = { ...fakeModel(() => ({ text: "new" })), id: "told/other" };
  agent.use(other);
  assert.deepEqual(await agent.send("Two."), { kind: "answered", text: "new" });
  assert.deepEqual([model.requests.length, other.requests.length], [1, 1]);
});

test("errors of a listener are ignored, and a removed listener receives nothing", async (t) => {
  const { agent, events } = await openAgent(t, [{ text: "." }]);
  agent.on(() => assert.fail("mine alone"));
  const stop = agent.on(() => assert.fail("stopped"));
  stop();
  assert.equal((await agent.send("Go.")).kind, "answered");
  assert.ok(events.length > 3);
});

test("a closed agent has released its session and takes no message", async (t) => {
  const { tool, begun } = heldTool();
  const { agent, engine } = await openAgent(t, [{ calls: [{ name: "hold", input: {} }] }], {
    engine: { tools: [tool], hooks: [] },
  });
  const outcome = agent.send("Go.");
  await begun;
  await agent.close();
  assert.deepEqual(await outcome, { kind: "stopped", why: "cancelled", detail: "the agent was closed" });
  assert.deepEqual(await agent.send("More."), await outcome);
  assert.deepEqual(inShort(agent.messages()).at(-1), "tool: call-0-0 failed");
  await engine.close();
});

const WRONG: Readonly<Record<string, readonly [object, RegExp]>> = {
  "the id of a model": [{ realModel: "openai/gpt-5" }, /^expected a model$/],
  "a session that is no text": [{ session: 5 }, /^createAgent: session: expected a text, got number$/],
  "no instructions": [
    { instructions: undefined },
    /instructions: expected a text or a list of parts, got undefined$/,
  ],
  "a part of instructions without a name": [
    { instructions: [{ text: "x" }] },
    /a list of parts, got object$/,
  ],
  "an unknown limit": [{ budget: { turn: 5 } }, /unknown limit "turn" of the budget$/],
  "a limit in text": [{ budget: { turns: "5" } }, /budget\.turns: expected a number, got "5"$/],
  "a number as the budget": [{ budget: 5 }, /budget: expected an object, got number$/],
};

for (const [what, [options, message]] of Object.entries(WRONG))
  test(`${what} is refused before anything is stored`, async (t) => {
    const folder = temporaryFolder(t);
    await assert.rejects(openAgent(t, [], { folder, ...options }), { code: "INVALID_INPUT", message });
    const { agent } = await openAgent(t, [{ text: "Here." }], { folder });
    assert.deepEqual(await agent.send("Hello."), { kind: "answered", text: "Here." });
  });

test("a message that is neither text nor content is refused", async (t) => {
  const { agent } = await openAgent(t, [{ text: "Here." }]);
  for (const message of [undefined, {}, 5, ["Hello."], [{ role: "user" }]])
    await assert.rejects(agent.send(message as never), { code: "INVALID_INPUT" });
  assert.deepEqual(await agent.send("Hello."), { kind: "answered", text: "Here." });
});
