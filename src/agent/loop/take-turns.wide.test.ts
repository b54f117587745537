import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { assertWhole } from "../../../test/support/agents/agent.ts";
import { echoTool } from "../../../test/support/agents/agent-tools.ts";
import { fakeModel, type FakeAnswer } from "../../../test/support/models/fake-model.ts";
import { ToolError } from "../../core/errors.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { StopReason } from "../../core/agent/model.ts";
import { createEngine } from "../../engine/engine.ts";
import { createAgent } from "../create-agent.ts";
import { runs } from "../../../test/support/property-runs.ts";

const call = fc.record({
  // Few ids, so that they are used again.
  id: fc.constantFrom("", "1", "2"),
  name: fc.constantFrom("echo", "fail", "missing"),
  input: fc.oneof(fc.constant({ word: "x" }), fc.constant("{"), fc.constant({})),
});
const answer: fc.Arbitrary<FakeAnswer | ToolError> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        text: fc.constantFrom("", " ", "Some words.", "{}"),
        reasoning: fc.constantFrom("", "Hm."),
        calls: fc.array(call, { maxLength: 3 }),
        reason: fc.constantFrom<StopReason>("stop", "calls", "length", "refused", "other"),
      },
      { requiredKeys: [] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      new ToolError("UNAVAILABLE", "overloaded"),
      new ToolError("WINDOW_FULL", "too long"),
    ),
  },
);

function fail(): never {
  throw new ToolError("TOOL_FAILED", "as always");
}

test("whatever a model answers, whenever it is cancelled and whatever the budget, the conversation is complete and stored", async () => {
  const scene = fc.record({
    answers: fc.array(answer, { minLength: 1, maxLength: 8 }),
    messages: fc.array(fc.constantFrom("Go.", "And?"), { minLength: 1, maxLength: 3 }),
    cancelAt: fc.option(fc.nat(20), { nil: undefined }),
    turns: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    calls: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    hasSchema: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ answers, messages, cancelAt, turns, calls, hasSchema }) => {
      const { tool } = echoTool();
      const engine = createEngine({ mode: "yolo", tools: [tool, { ...tool, name: "fail", run: fail }] });
      const model = fakeModel((_request, index) => {
        const said = answers[index] ?? { text: "Done." };
        if (said instanceof ToolError) throw said;
        return said;
      });
      const options = {
        engine,
        model,
        collections: createMemoryCollections(),
        session: "s",
        identity: { id: "a", name: "a" },
        workspace: "/",
        instructions: "",
        budget: { ...(turns === undefined ? {} : { turns }), ...(calls === undefined ? {} : { calls }) },
        ...(hasSchema ? { outputSchema: { type: "object" } } : {}),
      };
      const agent = await createAgent(options);
      let events = 0;
      agent.on(() => {
        if (events === cancelAt) agent.cancel();
        events += 1;
      });
      for (const message of messages) {
        await agent.send(message);
        assertWhole(agent.messages());
      }
      for (const { messages: sent } of model.requests) assertWhole(sent);
      await agent.close();
      const again = await createAgent({ ...options });
      assert.deepEqual(again.messages(), agent.messages());
      const [before, after] = [agent.spent(), again.spent()];
      assert.deepEqual([after.tokens, after.calls], [before.tokens, before.calls]);
      // The last turn may have failed before anything of it was kept, or have been cancelled before it began.
      assert.ok(Math.abs(after.turns - before.turns) <= 1);
      await again.close();
      await engine.close();
    }),
    { numRuns: runs(200) },
  );
});
