import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { estimateTokens } from "../../src/agent/context/estimate-tokens.ts";
import { createAgent } from "../../src/agent/create-agent.ts";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { openCalls } from "../../src/agent/sessions/open-calls.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { ToolError } from "../../src/core/errors.ts";
import { createMemoryCollections } from "../../src/util/json/memory-collections.ts";
import { callsOf } from "../../src/core/agent/message.ts";
import type { ModelRequest } from "../../src/core/agent/model.ts";
import { integer, object } from "../../src/schema/define/schema.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { recordDecision } from "../../src/tools/memory/goals/record-decision.ts";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fakeModel, type FakeAnswer } from "../support/models/fake-model.ts";

const TURNS = isLong ? 200 : 100;
const WINDOW = 16_000;
const DECISION = "We decided that the service listens on port 7421.";

const look = defineTool({
  name: "look",
  description: "Shows a page of the log.",
  input: object({ page: integer() }),
  risk: "low",
  effects: "none",
  run: ({ page }) =>
    Array.from({ length: 40 }, (_, line) => `page ${page}, line ${line}: all is well here`).join("\n"),
});

interface Way {
  /** What the model does with the decision when it hears of it. */
  readonly atTurn3: FakeAnswer;
  readonly summarise: (text: string) => FakeAnswer;
  readonly isOnDisk?: boolean;
}

/** What a careful model writes: the decision in the words that were used, where it is in what it is shown. */
const careful = (text: string): FakeAnswer => ({
  text: `${text.includes(DECISION) ? `## Decisions\n- ${DECISION}\n\n` : ""}## Facts\nPages of the log were read; all is well.`,
});
const careless = (): FakeAnswer => ({ text: "## Facts\nPages of the log were read." });
const broken = (): FakeAnswer => {
  throw new ToolError("UNAVAILABLE", "the provider does not answer");
};
const record = {
  calls: [{ name: "record_decision", input: { description: "The port", rationale: DECISION } }],
} satisfies FakeAnswer;

/** The story of what was said, how often it was made shorter, and the answer to the question at its end. */
async function talk(t: TestContext, { atTurn3, summarise, isOnDisk = false }: Way) {
  const store = isOnDisk ? await openStore({ folder: temporaryFolder(t) }) : undefined;
  t.after(() => store?.close());
  const collections = store?.collections ?? createMemoryCollections();
  const engine = createEngine({ tools: [look, recordDecision({ collections, root: "/srv" })] });
  t.after(() => engine.close());
  const model = fakeModel((request) => tell(request, { atTurn3, summarise }), { window: WINDOW });
  const identity = { id: "a", name: "Ada" };
  const options = {
    engine,
    model,
    collections,
    session: "long",
    identity,
    workspace: "/srv",
    instructions: "Watch the log.",
  };
  const agent = await createAgent(options);
  t.after(() => agent.close());
  let compactions = 0;
  agent.on(({ type }) => (compactions += type === "session.compacted" ? 1 : 0));
  for (let turn = 1; turn < TURNS; turn += 1) {
    const said =
      turn === 3 ? `${DECISION} Keep to it.` : `Turn ${turn}: read page ${turn} and tell me about it.`;
    const outcome = await agent.send(said);
    assert.equal(outcome.kind, "answered", JSON.stringify(outcome));
  }
  const outcome = await agent.send(`Turn ${TURNS}: on which port does the service listen?`);
  return {
    answer: outcome.kind === "answered" ? outcome.text : "",
    compactions,
    model,
    transcripts: openTranscripts(collections),
  };
}

function tell(request: ModelRequest, { atTurn3, summarise }: Way): FakeAnswer {
  const last = request.messages.at(-1);
  const text = JSON.stringify(last?.role === "user" ? last.content : "");
  if (request.tools.length === 0) return summarise(text);
  if (last?.role === "tool")
    return { text: `Read it; nothing new. ${"It looks the same as before. ".repeat(5)}` };
  if (text.includes(DECISION)) return atTurn3;
  const page = /read page (\d+)/.exec(text)?.[1];
  if (page !== undefined) return { calls: [{ name: "look", input: { page: Number(page) } }] };
  const port = /port (\d+)/.exec(`${request.instructions}\n${JSON.stringify(request.messages)}`)?.[1];
  return { text: port === undefined ? "I do not know any more." : `On port ${port}.` };
}

describe(`${TURNS} turns through a window of 16 000 tokens`, () => {
  const ways: Readonly<Record<string, Way>> = {
    "recorded, with a model that summarises carelessly": { atTurn3: record, summarise: careless },
    "recorded, with a model that cannot summarise": { atTurn3: record, summarise: broken },
    "only said, with a model that summarises with care": {
      atTurn3: { text: "I will." },
      summarise: careful,
      isOnDisk: true,
    },
    "only said, with a model that cannot summarise": { atTurn3: { text: "I will." }, summarise: broken },
  };
  for (const [name, way] of Object.entries(ways)) {
    it(`still answer a question about the decision of turn 3: ${name}`, async (t) => {
      const { answer, compactions, model, transcripts } = await talk(t, way);
      assert.equal(answer, "On port 7421.");
      assert.ok(compactions >= 5, `made shorter ${compactions} times`);
      for (const request of model.requests) {
        assert.ok(estimateTokens(request) < WINDOW);
        assertWhole(request);
      }
      const entries = await transcripts.entries("long");
      const originals = entries.filter((entry) => entry.kind === "message" && entry.message.role === "user");
      assert.equal(originals.length, TURNS, "what is no longer shown is still kept");
    });
  }

  it("would not know it any more without the summaries", async (t) => {
    const { answer } = await talk(t, { atTurn3: { text: "I will." }, summarise: careless });
    assert.equal(answer, "I do not know any more.");
  });
});

/** What a provider demands: each result after its call, each call with its result. */
function assertWhole({ messages }: ModelRequest): void {
  const asked = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") for (const { id } of callsOf(message)) asked.add(id);
    if (message.role === "tool") for (const { callId } of message.results) assert.ok(asked.delete(callId));
  }
  assert.deepEqual([...asked], []);
  assert.deepEqual(openCalls(messages), []);
}
