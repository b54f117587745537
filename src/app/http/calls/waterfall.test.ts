import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry, SessionInfo } from "../../../agent/sessions/transcript.ts";
import type { CallRecord } from "../../../core/store/journal.ts";
import { waterfallOf } from "./waterfall.ts";

const NOW = 10_000;

function sessionOf(id: string, createdAt: number, parentId?: string): SessionInfo {
  const agent = { id, name: `agent ${id}`, ...(parentId !== undefined && { parentId }) };
  return { id, agent, title: "", model: "m", state: "done", turns: 1, createdAt } as never;
}

function callOf(session: string, callId: string, receivedAt: number, durationMs = 10): CallRecord {
  const answer = { ok: true, callId, content: [], meta: { durationMs, attempts: 1 } };
  return { callId, name: "shell", input: {}, session, receivedAt, startedAt: receivedAt, answer } as never;
}

function answerOf(turn: number, at: number, ...callIds: readonly string[]): Entry {
  const parts = callIds.map((id) => ({ type: "call", call: { id, name: "shell", input: {} } }));
  return { kind: "message", turn, at, seq: at, message: { role: "assistant", parts } } as never;
}

function paidOf(turn: number, inputTokens: number, cost: number): Entry {
  const usage = { inputTokens, outputTokens: 1 };
  return { kind: "usage", turn, model: "m", usage, cost, seq: 1, at: 1 } as never;
}

function show(
  stored: readonly SessionInfo[],
  entries: Readonly<Record<string, readonly Entry[]>>,
  calls: readonly CallRecord[],
) {
  const [first] = stored;
  assert.ok(first);
  const transcripts = { entries: async (id: string) => entries[id] ?? [] };
  const journal = {
    list: async ({ session }: { readonly session?: string } = {}) =>
      calls.filter((one) => one.session === session).toReversed(),
  };
  return waterfallOf({ transcripts, journal, stored }, first, NOW);
}

test("a session and its agent may have calls with one id, and each is below its own turn and call", async () => {
  const { spans } = await show(
    [sessionOf("a", 0), sessionOf("b", 105, "a")],
    { a: [answerOf(1, 90, "1")], b: [answerOf(1, 140, "1")] },
    [callOf("a", "1", 100, 100), callOf("b", "1", 150, 20), callOf("b", "1.1", 155)],
  );
  assert.equal(new Set(spans.map(({ id }) => id)).size, spans.length, "ids are unique");
  const parents = spans.map(({ from, parentId }) => [
    from,
    spans.find(({ id }) => id === parentId)?.from ?? null,
  ]);
  assert.deepEqual(parents, [
    [0, null],
    [0, 0],
    [100, 0],
    [105, 100],
    [105, 105],
    [150, 105],
    [155, 150],
  ]);
});

test("an id that repeats in a session belongs to the newest turn and call before it", async () => {
  const result = { kind: "message", turn: 1, at: 120, seq: 2, message: { role: "tool", results: [] } };
  const entries = [answerOf(1, 90, "1"), result as never, answerOf(2, 190, "1")];
  const { spans } = await show([sessionOf("a", 0)], { a: entries }, [
    callOf("a", "1", 100),
    callOf("a", "1.1", 105),
    callOf("a", "1", 200),
    callOf("a", "1.1", 205),
  ]);
  const parentOf = (at: number): number | undefined => {
    const { parentId } = spans.find(({ from, kind }) => kind === "call" && from === at) ?? {};
    const parent = spans.find(({ id }) => id === parentId);
    return parent?.kind === "turn" ? (parent.to ?? undefined) : parent?.from;
  };
  assert.deepEqual([100, 105, 200, 205].map(parentOf), [90, 100, 190, 200]);
});

test("the address of a call is a path whose parts may have a slash", async () => {
  const { spans } = await show([sessionOf("a", 0)], {}, [callOf("a", "a/b", 1)]);
  assert.deepEqual(spans[1]?.address, ["calls", "a/b@1"]);
});

test("a turn has the tokens and the cost of its answer and of the summary that was made in it", async () => {
  const entries = [
    paidOf(1, 100, 0.25),
    answerOf(1, 50),
    paidOf(1, 40, 0.5),
    paidOf(2, 1, 1),
    answerOf(2, 60),
  ];
  const { spans, inputTokens, cost, models } = await show([sessionOf("a", 0)], { a: entries }, []);
  assert.deepEqual(
    spans.filter(({ kind }) => kind === "turn").map((turn) => [turn.inputTokens, turn.cost]),
    [
      [140, 0.75],
      [1, 1],
    ],
  );
  assert.deepEqual([inputTokens, cost, models[0]?.turns], [141, 1.75, 2]);
});
