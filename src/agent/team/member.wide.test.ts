import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { NOTHING_SPENT } from "../budget/budget.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import { transition, type MemberEvent, type MemberState } from "./member.ts";

const agent = { state: "idle" } as RunningAgent;
const answered = { kind: "answered", text: "Done." } as const;
const EVENTS = {
  opened: { type: "opened", agent },
  taskStarted: { type: "taskStarted" },
  taskEnded: { type: "taskEnded", outcome: answered },
  cancelled: { type: "cancelled", outcome: { kind: "stopped", why: "cancelled", detail: "enough" } },
  finished: { type: "finished", finish: { summary: "Done.", findings: [], success: true } },
  ending: { type: "ending" },
  ended: { type: "ended", end: { state: "done", text: "", outcome: undefined, spent: NOTHING_SPENT } },
} as const satisfies Record<MemberEvent["type"], MemberEvent>;

type EventName = keyof typeof EVENTS;

function after(names: readonly EventName[]): MemberState {
  return names.reduce<MemberState>((state, name) => transition(state, EVENTS[name]), { phase: "opening" });
}

for (const [names, phase] of [
  [[], "opening"],
  [["taskStarted", "ending"], "opening"],
  [["opened"], "idle"],
  [["opened", "finished"], "idle"],
  [["opened", "taskStarted"], "working"],
  [["opened", "taskStarted", "taskEnded"], "idle"],
  [["opened", "taskStarted", "taskStarted", "taskEnded"], "working"],
  [["opened", "taskStarted", "finished"], "finishing"],
  [["opened", "taskStarted", "finished", "taskEnded"], "finishing"],
  [["opened", "taskStarted", "finished", "taskEnded", "ending"], "ending"],
  [["opened", "ending", "taskStarted", "opened"], "ending"],
  [["opened", "ending", "ended"], "ended"],
  [["ended", "opened", "taskStarted"], "ended"],
] as const satisfies readonly (readonly [readonly EventName[], MemberState["phase"]])[]) {
  test(`after ${names.join(", ") || "no event"} a member is ${phase}`, () => {
    assert.equal(after(names).phase, phase);
  });
}

test("a report stays with a member that is being ended", () => {
  const state = after(["opened", "taskStarted", "finished", "taskEnded", "ending"]);
  assert.deepEqual(state.phase === "ending" && state.finish, EVENTS.finished.finish);
});

test("the end of a task that was not counted changes nothing", () => {
  const finishing = after(["opened", "taskStarted", "finished", "taskEnded"]);
  assert.equal(transition(finishing, EVENTS.taskEnded), finishing);
});

test("a cancelled root remembers the cancellation as its last outcome", () => {
  const state = after(["opened", "taskStarted", "taskEnded", "cancelled"]);
  assert.deepEqual(state.phase === "idle" && state.last, EVENTS.cancelled.outcome);
});

test("whatever happens, a member that is being ended never works again, and tasks are never negative", () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(EVENTS) as EventName[])), { maxLength: 30 });
  fc.assert(
    fc.property(names, (given) => {
      let state: MemberState = { phase: "opening" };
      for (const name of given) {
        const next = transition(state, EVENTS[name]);
        if (state.phase === "ended") assert.equal(next, state);
        if (state.phase === "ending") assert.ok(next.phase === "ending" || next.phase === "ended");
        if ("tasks" in next) assert.ok(next.tasks >= (next.phase === "working" ? 1 : 0));
        state = next;
      }
    }),
  );
});
