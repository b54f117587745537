// Two hundred turns through a window of 16 000 tokens: what was decided in the third is still known in the last.
import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateTokens } from "../../src/agent/compact/estimate-tokens.ts";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { callsOf } from "../../src/core/message.ts";
import { createMemoryCollections } from "../../src/core/memory-collections.ts";
import type { ModelRequest } from "../../src/core/model.ts";
import { memoryTools } from "../../src/tools/memory/family.ts";
import { openAgent, told } from "../support/agent.ts";
import { echoTool } from "../support/agent-tools.ts";

const WINDOW = 16_000;
const TURNS = 200;
const LONG = "The quick brown fox jumps over the lazy dog. ".repeat(25);

/** Everything that a model could know from its request. */
function known({ instructions, messages }: ModelRequest): string {
  return instructions + JSON.stringify(messages);
}

test("a decision of turn 3 is known after 200 turns, every request fits, and no call is parted from its result", async (t) => {
  const collections = createMemoryCollections();
  const { tool } = echoTool();
  const place = await openAgent(
    t,
    (request) => {
      if (request.tools.length === 0) return { text: "They went on writing words." };
      assert.ok(estimateTokens(request) <= WINDOW);
      for (const [index, message] of request.messages.entries()) {
        const isCalling = message.role === "assistant" && callsOf(message).length > 0;
        assert.equal(request.messages[index + 1]?.role === "tool", isCalling);
      }
      const last = request.messages.at(-1);
      if (last?.role === "tool") return { text: `Done. ${LONG}` };
      const asked = JSON.stringify(last);
      if (asked.includes("turn 3.")) {
        const input = { description: "the database", rationale: "We use SQLite, since it is there." };
        return { calls: [{ name: "record_decision", input }] };
      }
      if (asked.includes("Which database"))
        return { text: /We use (\w+)/.exec(known(request))?.[1] ?? "No idea." };
      return { calls: [{ name: "echo", input: { word: `${asked.slice(-12)} ${LONG}` } }] };
    },
    {
      engine: { tools: [...memoryTools({ root: "/", collections }), tool] },
      collections,
      model: { window: WINDOW },
    },
  );
  const { agent, events } = place;
  for (let turn = 1; turn <= TURNS / 2; turn += 1)
    assert.equal((await agent.send(`Go on with turn ${turn}.`)).kind, "answered");
  assert.ok(told(events, "session.compacted").length > 3);
  assert.deepEqual(await agent.send("Which database do we use?"), { kind: "answered", text: "SQLite" });
  assert.equal(agent.spent().turns, TURNS + 1);
  const kept = (await openTranscripts(collections).entries("s")).filter(({ kind }) => kind === "message");
  assert.equal(kept.length, TURNS * 2 + 2);
});
