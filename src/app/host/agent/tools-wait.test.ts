import assert from "node:assert/strict";
import { test } from "node:test";
import { openAgent } from "../../../../test/support/agents/agent.ts";
import { engineOf, say, slowSource } from "../../../../test/support/engines/sources.ts";
import { createToolsWait } from "./tools-wait.ts";

const NEVER = 3_600_000;
const unexpected = (): void => assert.fail("no source is late");

test("the first request has the tools of a source that was still loading", async (t) => {
  const source = slowSource();
  const waits: ReturnType<typeof createToolsWait>[] = [];
  const { agent, engine, model, events } = await openAgent(t, [{ text: "Done." }], {
    ready: async (signal) => waits[0]?.(signal, unexpected),
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

test("a source that does not load in time is named once, and delays no further request", async (t) => {
  const engine = engineOf(t);
  engine.sources.add(slowSource("mcp:hanging"));
  engine.sources.add({ name: "fast", load: async () => ({ tools: [say("a")], problems: [] }) });
  const wait = createToolsWait(engine, 20);
  const late: (readonly string[])[] = [];
  const { signal } = new AbortController();
  await wait(signal, (sources) => late.push(sources));
  await wait(signal, (sources) => late.push(sources));
  assert.deepEqual(late, [["mcp:hanging"]]);
  assert.notEqual(engine.get("a"), undefined);
});

test("a cancelled task does not wait", async (t) => {
  const engine = engineOf(t);
  engine.sources.add(slowSource());
  await createToolsWait(engine, NEVER)(AbortSignal.abort(), unexpected);
});
