import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createAgentStates } from "./agent-states.ts";

function open() {
  const seen: string[] = [];
  const states = createAgentStates(
    "idle",
    async (state, reason) => void seen.push(reason === undefined ? state : `${state}: ${reason}`),
  );
  return { seen, states };
}

test("each change is reported once, with its reason", async () => {
  const { seen, states } = open();
  await states.enter("waiting_for_model");
  await states.enter("waiting_for_model");
  await states.enter("failed", "it broke");
  assert.deepEqual(seen, ["waiting_for_model", "failed: it broke"]);
});

test("an agent waits for approval until the last question is answered", async () => {
  const { seen, states } = open();
  await states.enter("executing_tools");
  states.questionAsked("a");
  states.questionAsked("b");
  states.questionAnswered("a");
  assert.equal(states.current, "waiting_for_approval");
  states.questionAnswered("b");
  assert.deepEqual(seen, ["executing_tools", "waiting_for_approval", "executing_tools"]);
});

test("a wait for a message is visible unless a question is open", async () => {
  const { seen, states } = open();
  await states.enter("executing_tools");
  const end = states.waitForMessage();
  states.questionAsked("a");
  states.questionAnswered("a");
  end();
  end();
  assert.deepEqual(seen.slice(1), [
    "waiting_for_message",
    "waiting_for_approval",
    "waiting_for_message",
    "executing_tools",
  ]);
});

test("questions and waits end when the agent enters another state", async () => {
  const { states } = open();
  await states.enter("executing_tools");
  states.questionAsked("a");
  states.waitForMessage();
  await states.enter("done");
  assert.equal(states.current, "done");
  states.questionAnswered("a");
  assert.equal(states.current, "done");
});

test("a change that cannot be stored rejects `enter`, and nothing else", async () => {
  const states = createAgentStates("idle", () => Promise.reject(new Error("full")));
  states.questionAsked("a");
  states.questionAnswered("a");
  await assert.rejects(states.enter("done"), /full/);
});

test("whatever happens, two changes in a row are never the same", () => {
  const actions = fc.array(fc.constantFrom("ask", "answer", "wait", "end", "model", "calls"), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(actions, (row) => {
      const { seen, states } = open();
      const ends: (() => void)[] = [];
      for (const action of row) {
        if (action === "ask") states.questionAsked("q");
        if (action === "answer") states.questionAnswered("q");
        if (action === "wait") ends.push(states.waitForMessage());
        if (action === "end") ends.pop()?.();
        if (action === "model") void states.enter("waiting_for_model");
        if (action === "calls") void states.enter("executing_tools");
        assert.equal(seen.at(-1) ?? "idle", states.current);
      }
      seen.reduce((before, after) => {
        assert.notEqual(before, after);
        return after;
      }, "idle");
    }),
  );
});
