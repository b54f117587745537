import assert from "node:assert/strict";
import { test } from "node:test";
import { openAgent } from "../../../../test/support/agents/agent.ts";
import { engineOf, say, slowSource } from "../../../../test/support/engines/sources.ts";
import { createToolsWait } from "./tools-wait.ts";

const NEVER = 3_600_000;

test("the first request has the tools of a source that was still loading", async (t) => {
  const source = slowSource();
  const waits: ReturnType<typeof createToolsWait>[] = [];
  const { agent, engine, model, events } = await openAgent(t, [{ text: "Done." }], {
    ready: async (signal) => (await waits[0]?.(signal)) ?? [],
  });
  waits.push(createToolsWait(engine, NEVER));
  engine.sources.add(source);
  agent.on((event) => {
    if (event.type === "agent.state" && event.state === "waiting_for_model") source.end([say("late")]);
  });
  assert.equal((await agent.send("go")).kind, "answered");
  assert.deepEqual(
    model.requests[0]?.tools?.map(({ name }) => name),
    ["late"],
  );
  assert.ok(events.some(({ type }) => type === "turn.ended"));
});

test("a source that does not load in time is named, and delays only the first request", async (t) => {
  const source = slowSource("mcp:hanging");
  const { agent, engine, events } = await openAgent(t, [{ text: "One." }, { text: "Two." }], {
    ready: (signal) => wait(signal),
  });
  const wait = createToolsWait(engine, 20);
  engine.sources.add(source);
  engine.sources.add({ name: "fast", load: async () => ({ tools: [say("a")], problems: [] }) });
  await agent.send("go");
  await agent.send("go on");
  const late = events.flatMap((event) => (event.type === "tools.late" ? [event.sources] : []));
  assert.deepEqual(late, [["mcp:hanging"]], "once, by the agent's own event");
  assert.notEqual(engine.get("a"), undefined);
});

test("a source that offers the tools of its last time is not waited for and not missing", async (t) => {
  const source = slowSource("mcp:slow");
  const { agent, engine, model, events } = await openAgent(t, [{ text: "One." }, { text: "Two." }], {
    ready: (signal) => wait(signal),
  });
  const wait = createToolsWait(engine, NEVER);
  engine.sources.add({ ...source, stored: async () => [say("old"), say("gone")] });
  await agent.send("go");
  source.end([say("old"), say("fresh")]);
  await engine.sources.settled();
  await agent.send("go on");
  const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name));
  assert.deepEqual(offered, [
    ["old", "gone"],
    ["old", "fresh"],
  ]);
  assert.ok(!events.some(({ type }) => type === "tools.late"));
});

test("a cancelled task does not wait", async (t) => {
  const engine = engineOf(t);
  engine.sources.add(slowSource("mcp:slow"));
  assert.deepEqual(await createToolsWait(engine, NEVER)(AbortSignal.abort()), ["mcp:slow"]);
});
