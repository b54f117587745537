import assert from "node:assert/strict";
import { test } from "node:test";
import { openAgent } from "../../../test/support/agents/agent.ts";
import { heldTool } from "../../../test/support/agents/agent-tools.ts";
import { until } from "../../../test/support/servers/mcp.ts";
import type { Hook } from "../../core/hook.ts";
import type { UserMessage } from "../../core/agent/message.ts";
import { userMessage } from "../runtime/messages.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import type { Outcome } from "../runtime/outcome.ts";
import { wakeForHooks } from "./wake-for-hooks.ts";

const FILE = { path: "/a.txt", change: "changed" } as const;

/** An agent for which a hook has something to say about every changed file. */
async function openPlace(t: Parameters<typeof openAgent>[0]) {
  const waiting: UserMessage[] = [];
  const hook: Hook = {
    name: "look",
    on: ["file_changed"],
    run: () => {
      waiting.push(userMessage("look at it", { kind: "hook", id: `${waiting.length}`, name: "look" }));
      return undefined;
    },
  };
  const place = await openAgent(t, () => ({ text: "seen" }), {
    engine: { hooks: [hook] },
    incoming: async () => waiting.splice(0),
  });
  return { ...place, asked: () => place.model.requests.length };
}

test("an idle agent reads a hook's prompt, until waking is stopped", async (t) => {
  const { agent, engine, asked } = await openPlace(t);
  const stop = wakeForHooks(engine, agent);
  engine.fileChanged(FILE);
  await until(() => asked() === 1 && agent.state === "done", "the hook's turn");
  stop();
  engine.fileChanged(FILE);
  await agent.send("hello");
  assert.equal(asked(), 2, "what waited was read with the person's message");
});

test("an agent is woken ten times in a row, and again after a message of its person", async (t) => {
  const { agent, engine, asked } = await openPlace(t);
  t.after(wakeForHooks(engine, agent));
  const change = async (): Promise<void> => {
    const before = asked();
    engine.fileChanged(FILE);
    await until(() => asked() === before + 1 && agent.state === "done", "the hook's turn");
  };
  for (let round = 0; round < 10; round += 1) await change();
  engine.fileChanged(FILE);
  const outcome = await agent.send("stop a moment");
  assert.equal(outcome.kind, "answered");
  assert.equal(asked(), 11);
  await change();
});

for (const [how, budget] of [
  ["cancelled", { turns: 5 }],
  ["stopped by its budget", { turns: 1 }],
] as const) {
  test(`a task that was ${how} is not continued because a file has changed`, async (t) => {
    const { tool, begun } = heldTool();
    const format: Hook = { name: "format", on: ["file_changed"], run: () => undefined };
    const { agent, engine } = await openAgent(t, () => ({ calls: [{ name: "hold", input: {} }] }), {
      engine: { hooks: [format], tools: [tool] },
      budget,
    });
    let woken = 0;
    const send = (): Promise<Outcome> => ((woken += 1), agent.send([]));
    t.after(wakeForHooks(engine, Object.create(agent, { send: { value: send } }) as RunningAgent));
    const outcome = agent.send("Hold.");
    if (how === "cancelled") await begun.then(() => agent.cancel());
    assert.equal((await outcome).kind, "stopped");
    const decided = new Promise((resolve) => engine.on(resolve, ["hook.decided"]));
    engine.fileChanged(FILE);
    await decided;
    assert.equal(woken, 0);
  });
}
