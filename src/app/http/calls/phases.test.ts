import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallRecord } from "../../../core/store/journal.ts";
import { toCallRow } from "./call-row.ts";
import { phasesOf, recordedEvents } from "./phases.ts";

type Parts = Partial<Pick<CallRecord, "startedAt" | "trace" | "callId">>;
const META = { durationMs: 100, attempts: 1 };

/** A call that was received at 1000 and answered at 1100. */
function recordOf(parts: Parts, answer: unknown = { callId: "a", ok: true, content: [], meta: META }) {
  const common = { callId: "a", name: "shell", input: { command: "ls" }, receivedAt: 1000, startedAt: 1000 };
  return { ...common, session: null, folder: null, state: "answered", answer, ...parts } as never;
}

const ASKED = { askedAt: 1010, answeredAt: 1060, approved: true };
const JUDGE = { stage: "judge", from: 0, to: 5 };
const SLOT = { stage: "take slot", from: 60, to: 70 };
const EXECUTE = { stage: "execute", from: 70, to: 90 };
const STAGES = [JUDGE, SLOT, EXECUTE];

const RETRIED = [
  JUDGE,
  EXECUTE,
  { stage: "take slot", from: 92, to: 93 },
  { stage: "execute", from: 93, to: 97 },
];

const CASES: readonly (readonly [string, Parts, readonly string[]])[] = [
  ["a call that only ran", {}, ["ran 1000-1100"]],
  ["a call that was judged first", { startedAt: 1020 }, ["judged 1000-1020", "ran 1020-1100"]],
  ["a call that never ran", { startedAt: null }, ["judged 1000-1100"]],
  [
    "a call that waited for a person",
    { startedAt: 1060, trace: { approval: ASKED } },
    ["judged 1000-1010", "waited 1010-1060", "ran 1060-1100"],
  ],
  [
    "a call with every part",
    { startedAt: 1070, trace: { approval: ASKED, stages: STAGES } },
    ["judged 1000-1010", "waited 1010-1060", "queued 1060-1070", "ran 1070-1090", "formatted 1090-1100"],
  ],
  [
    "a call that was tried twice, and queued before both",
    { startedAt: 1070, trace: { stages: [SLOT, ...RETRIED] } },
    ["judged 1000-1060", "queued 1060-1070", "ran 1070-1097", "formatted 1097-1100"],
  ],
  [
    "a call that was tried twice, and queued before the second time",
    { startedAt: 1070, trace: { stages: RETRIED } },
    ["judged 1000-1070", "ran 1070-1097", "formatted 1097-1100"],
  ],
  ["a call whose copy says that it started after its end", { startedAt: 5000 }, ["ran 1000-1100"]],
];

for (const [what, parts, expected] of CASES)
  test(`${what} has the parts ${expected.join(", ")}`, () => {
    const phases = phasesOf(recordOf(parts)).map(({ name, from, to }) => `${name} ${from}-${to}`);
    assert.deepEqual(phases, expected);
  });

test("a call without an answer has no parts", () => {
  assert.deepEqual(phasesOf(recordOf({}, null)), []);
});

test("the events of a record are in the order in which they happened", () => {
  const record = recordOf({ startedAt: 1070, trace: { approval: ASKED, stages: STAGES } });
  const shown = recordedEvents(record).map(({ type, at }) => `${at} ${type}`);
  assert.deepEqual(shown, [
    "1000 call.received",
    "1000 stage",
    "1010 approval.asked",
    "1060 stage",
    "1060 approval.answered",
    "1070 stage",
    "1070 call.started",
    "1100 call.answered",
  ]);
});

test("a nested call has its parent, and a failure the first line of its message", () => {
  const fault = { code: "TOOL_FAILED", message: "it broke\nand more" };
  const row = toCallRow(
    recordOf({ callId: "a.b.2" }, { callId: "a.b.2", ok: false, error: fault, meta: META }),
  );
  assert.deepEqual([row.parentId, row.outcome, row.message], ["a.b", "TOOL_FAILED", "it broke"]);
  assert.equal(toCallRow(recordOf({ callId: "a.b" })).parentId, null);
});
