import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAgent } from "../../../test/support/agents/agent.ts";
import { add } from "../../../test/support/engines/engine.ts";
import type { InputPiece, Tool } from "../../core/tool.ts";
import { createScriptedModel } from "../../models/scripted.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import type { TurnInfo } from "../runtime/running-agent.ts";

const look = defineTool({ ...add, name: "look.up" });
const numbers = { a: 1, b: 2 };

describe("eachTurn", () => {
  it("sets the tools and the tool use of a turn; another tool is neither shown nor run", async (t) => {
    const turns: TurnInfo[] = [];
    const { agent, model } = await openAgent(
      t,
      [{ calls: [{ id: "c", name: "add", input: numbers }] }, { text: "Done." }],
      {
        engine: { tools: [add, look] },
        eachTurn(turn) {
          turns.push(turn);
          return turn.turn === 1 ? { tools: ["look.*"], toolUse: { tool: "look.up" } } : undefined;
        },
      },
    );
    await agent.send("Add.");
    const [first, second] = model.requests;
    const [shown] = first?.tools ?? [];
    assert.equal(first?.tools.length, 1);
    assert.deepEqual(first?.toolUse, { tool: shown?.name });
    assert.equal(second?.tools.length, 2);
    assert.equal(second?.toolUse, undefined);
    assert.deepEqual(
      turns.map(({ turn, messages }) => [turn, messages.length]),
      [
        [1, 1],
        [2, 3],
      ],
    );
    const results = agent.messages().find(({ role }) => role === "tool");
    assert.ok(
      results?.role === "tool" && results.results[0]?.ok === false,
      "the call of a tool of another turn",
    );
  });

  it("fails the task if the tool use demands a tool that the turn does not have, or if it throws", async (t) => {
    const demands = await openAgent(t, [], {
      engine: { tools: [add] },
      eachTurn: () => ({ toolUse: { tool: "ad" } }),
    });
    const outcome = await demands.agent.send("Add.");
    assert.ok(outcome.kind === "failed");
    assert.match(outcome.fault.message, /toolUse demands "ad"/);
    assert.match(outcome.fault.hint ?? "", /add/);
    const throws = await openAgent(t, [], { eachTurn: () => Promise.reject(new Error("no plan")) });
    const failed = await throws.agent.send("Add.");
    assert.ok(failed.kind === "failed" && failed.fault.message.includes("no plan"));
  });
});

describe("onInput", () => {
  const writer = (pieces: InputPiece[], more: Partial<Tool> = {}): Tool => ({
    ...defineTool({
      name: "write.it",
      description: "Writes.",
      input: object({ text: string() }),
      risk: "low",
      run: ({ text }) => text,
      onInput: (piece) => void pieces.push(piece),
    }),
    ...more,
  });
  const TEXT = "a text that is longer than one piece";

  it("receives the JSON text of the input in pieces, with the id of the call; other tools receive none", async (t) => {
    const pieces: InputPiece[] = [];
    const seen: unknown[] = [];
    const model = createScriptedModel([
      {
        calls: [
          { id: "c1", name: "write_it", input: { text: TEXT } },
          { id: "c2", name: "add", input: numbers },
        ],
      },
      { text: "Written." },
    ]);
    const tool = writer(pieces);
    const { agent, engine } = await openAgent(t, [], { engine: { tools: [tool, add] }, realModel: model });
    engine.on((event) => seen.push(event.callId), ["call.started"]);
    await agent.send("Write.");
    assert.ok(pieces.length > 1);
    assert.deepEqual(JSON.parse(pieces.map(({ text }) => text).join("")), { text: TEXT });
    assert.deepEqual(new Set(pieces.map(({ callId, session }) => `${callId} ${session}`)), new Set(["c1 s"]));
    assert.deepEqual(seen, ["c1", "c2"]);
    assert.deepEqual(model.requests[0]?.streamsInput, ["write_it"]);
  });

  it("is not called for an inactive tool, and a tool that throws does not fail the answer", async (t) => {
    const pieces: InputPiece[] = [];
    const inactive = await openAgent(t, [], {
      engine: { tools: [writer(pieces, { group: "off", startsInactive: true })] },
      realModel: createScriptedModel([
        { calls: [{ id: "c1", name: "write.it", input: { text: TEXT } }] },
        { text: "Done." },
      ]),
    });
    await inactive.agent.send("Write.");
    assert.deepEqual(pieces, []);
    const onInput = (): never => {
      throw new Error("no preview");
    };
    const throwing = await openAgent(t, [], {
      engine: { tools: [writer([], { onInput })] },
      realModel: createScriptedModel([
        { calls: [{ id: "c1", name: "write_it", input: { text: TEXT } }] },
        { text: "Done." },
      ]),
    });
    assert.deepEqual(await throwing.agent.send("Write."), { kind: "answered", text: "Done." });
  });
});
