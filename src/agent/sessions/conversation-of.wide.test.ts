import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  answered,
  called,
  conversations,
  resultOf,
  results,
  said,
} from "../../../test/support/agents/messages.ts";
import { callsOf, type Message } from "../../core/agent/message.ts";
import { conversationOf } from "./conversation-of.ts";
import type { Entry, EntryBody } from "./transcript.ts";

const message = (one: Message, turn = 1): EntryBody => ({ kind: "message", turn, message: one });
const entries = (...bodies: readonly EntryBody[]): readonly Entry[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, at: 1000 + index }));
const forget: EntryBody = {
  kind: "instructions",
  parts: [{ name: "New", text: "start over" }],
  keepsHistory: false,
};
const usage = (turn: number, cost?: number): EntryBody => ({
  kind: "usage",
  turn,
  model: "fake/model",
  usage: { inputTokens: 100, outputTokens: 10 },
  ...(cost !== undefined && { cost }),
});

function seen(given: readonly Entry[]): readonly (readonly [number, Message["role"]])[] {
  return conversationOf(given).messages.map(({ seq, message: { role } }) => [seq, role]);
}

describe("conversationOf", () => {
  it("has every message with the number of its entry, and no slash commands", () => {
    const given = entries(
      message(said("a")),
      { kind: "command", text: "/help", output: "…" },
      { kind: "state", state: "waiting_for_model" },
      message(answered("b")),
    );
    assert.deepEqual(conversationOf(given).messages, [
      { seq: 1, message: said("a") },
      { seq: 4, message: answered("b") },
    ]);
    assert.deepEqual(conversationOf([]), {
      messages: [],
      parts: [],
      turns: 0,
      calls: 0,
      usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
    });
  });

  it("starts with the summary after a compaction, and with the last one after several", () => {
    const given = entries(
      message(said("a")),
      message(answered("b")),
      message(said("c")),
      { kind: "compaction", summary: "a and b", keptFrom: 3 },
      message(answered("d")),
      { kind: "compaction", summary: "a to c", keptFrom: 5 },
      message(said("e")),
    );
    assert.deepEqual(seen(given), [
      [0, "user"],
      [5, "assistant"],
      [7, "user"],
    ]);
    assert.deepEqual(conversationOf(given).messages[0]?.message, said("a to c"));
  });

  it("starts with the call if a compaction names its result", () => {
    const given = entries(
      message(said("a")),
      message(called({ id: "c1" })),
      message(results(resultOf("c1"))),
      { kind: "compaction", summary: "a", keptFrom: 3 },
    );
    assert.deepEqual(seen(given), [
      [0, "user"],
      [2, "assistant"],
      [3, "tool"],
    ]);
  });

  it("drops messages and summary before instructions that do not keep the history", () => {
    const given = entries(
      message(said("a")),
      { kind: "compaction", summary: "nothing yet", keptFrom: 1 },
      message(answered("b")),
      forget,
      message(said("c")),
    );
    assert.deepEqual(seen(given), [[5, "user"]]);
    assert.deepEqual(conversationOf(given).parts, [{ name: "New", text: "start over" }]);
  });

  it("keeps the running turn if its own call drops the history", () => {
    const given = entries(
      message(said("old")),
      message(answered("old")),
      message(said("start over")),
      message(called({ id: "swap" })),
      forget,
      message(results(resultOf("swap"))),
    );
    assert.deepEqual(seen(given), [
      [3, "user"],
      [4, "assistant"],
      [6, "tool"],
    ]);
  });

  it("keeps everything if the instructions keep the history, and has the last parts", () => {
    const given = entries(forget, message(said("a")), {
      kind: "instructions",
      parts: [{ name: "Second", text: "2" }],
      keepsHistory: true,
    });
    assert.deepEqual(seen(given), [[2, "user"]]);
    assert.deepEqual(conversationOf(given).parts, [{ name: "Second", text: "2" }]);
  });

  it("counts turns, calls and usage of the whole session, and a cost only if all costs are known", () => {
    const given = entries(
      message(called({ id: "c1" }, { id: "c2" }), 1),
      message(results(resultOf("c1"), resultOf("c2")), 1),
      usage(1, 0.25),
      { kind: "compaction", summary: "two calls", keptFrom: 5 },
      message(called({ id: "c3" }), 2),
      usage(2, 0.5),
    );
    const { turns, calls, usage: spent } = conversationOf(given);
    assert.deepEqual([turns, calls, spent], [2, 3, { inputTokens: 200, outputTokens: 20, cost: 0.75 }]);
    assert.equal(conversationOf([...given, ...entries(usage(3))]).usage.cost, undefined);
  });

  it("never has a result without its call, wherever the history is cut", () => {
    fc.assert(
      fc.property(
        conversations,
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        (messages, keptFrom, forgotten) => {
          const bodies = messages.map((one) => message(one));
          bodies.splice(Math.min(forgotten, bodies.length), 0, forget);
          const given = entries(...bodies, { kind: "compaction", summary: "s", keptFrom });
          const asked = new Set<string>();
          for (const { message: one } of conversationOf(given).messages) {
            if (one.role === "assistant") for (const { id } of callsOf(one)) asked.add(id);
            if (one.role === "tool") for (const { callId } of one.results) assert.ok(asked.has(callId));
          }
        },
      ),
    );
  });
});
