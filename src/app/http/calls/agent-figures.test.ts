import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryBody } from "../../../agent/sessions/transcript.ts";
import { answer } from "../../host/testing/contracts/journal-calls.ts";
import { agentFigures } from "./agent-figures.ts";

test("figures of an agent are those of all its turns; an unknown price adds nothing", () => {
  const call = { type: "call", call: { id: "1", name: "add", input: {} } } as const;
  const usage = (cost: object): EntryBody => ({
    kind: "usage",
    turn: 1,
    model: "scripted/x",
    usage: { inputTokens: 10, outputTokens: 2 },
    ...cost,
  });
  const failed = { ...answer("1", ""), ok: false, error: { code: "DENIED", message: "no" } } as const;
  const bodies: readonly EntryBody[] = [
    { kind: "message", turn: 1, message: { role: "assistant", parts: [call, call] } },
    { kind: "message", turn: 1, message: { role: "tool", results: [answer("1", ""), failed] } },
    usage({ cost: 0.5 }),
    usage({}),
  ];
  const entries = bodies.map((body, index) => ({ ...body, seq: index + 1, at: index }));
  assert.deepEqual(agentFigures(entries), {
    calls: 2,
    failed: 1,
    inputTokens: 20,
    outputTokens: 4,
    cost: 0.5,
  });
});
