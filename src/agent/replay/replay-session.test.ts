import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { openAgent, type AgentPlace } from "../../../test/support/agents/agent.ts";
import { called, said } from "../../../test/support/agents/messages.ts";
import type { FakeAnswer } from "../../../test/support/models/fake-model.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { ToolError } from "../../core/errors.ts";
import type { EngineEvent } from "../../core/events.ts";
import type { UserMessage } from "../../core/agent/message.ts";
import { integer, object, optional } from "../../schema/define/schema.ts";
import type { AgentEvent } from "../runtime/agent-events.ts";
import type { Outcome } from "../runtime/outcome.ts";
import { openTranscripts } from "../sessions/open-transcripts.ts";
import type { Entry, EntryBody, SessionInfo } from "../sessions/transcript.ts";
import { replaySession } from "./replay-session.ts";

/** A tool with effects that can be counted. */
function counter() {
  let count = 0;
  const tool = defineTool({
    name: "count_up",
    description: "Counts.",
    input: object({ by: optional(integer()) }),
    risk: "low",
    run({ by = 1 }) {
      if (by < 0) throw new ToolError("TOOL_FAILED", "it only counts up");
      count += by;
      return `now ${count}`;
    },
  });
  return { tool, count: () => count };
}

const call = (by = 1): NonNullable<FakeAnswer["calls"]>[number] => ({ name: "count_up", input: { by } });

interface Replayed {
  readonly difference: Awaited<ReturnType<typeof replaySession>>;
  readonly events: readonly (EngineEvent | AgentEvent)[];
  readonly outcomes: readonly Outcome[];
}

async function replayed(info: SessionInfo, entries: readonly Entry[], speed?: number): Promise<Replayed> {
  const events: (EngineEvent | AgentEvent)[] = [];
  const outcomes: Outcome[] = [];
  const difference = await replaySession({
    info,
    entries,
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    onOutcome: (outcome) => void outcomes.push(outcome),
    ...(speed !== undefined && { speed }),
  });
  return { difference, events, outcomes };
}

async function replayOf({
  collections,
  agent,
}: AgentPlace): Promise<Replayed & { readonly entries: readonly Entry[] }> {
  const transcripts = openTranscripts(collections);
  const entries = await transcripts.entries(agent.session);
  const info = await transcripts.info(agent.session);
  assert.ok(info);
  return { entries, ...(await replayed(info, entries)) };
}

/** What people are shown of a session, in order. */
function eventsOf(events: readonly (EngineEvent | AgentEvent)[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === "call.received") return [`→ ${event.name}`];
    if (event.type === "call.answered") return [event.result.ok ? "ok" : event.result.error.code];
    if (event.type === "model.text") return [event.text];
    if (event.type === "message.added") return [event.message.role];
    return [];
  });
}

async function recorded(t: TestContext, answers: Parameters<typeof openAgent>[1], options = {}) {
  const { tool, count } = counter();
  const place = await openAgent(t, answers, { engine: { tools: [tool] }, ...options });
  const heard: (EngineEvent | AgentEvent)[] = [];
  place.engine.on((event) => heard.push(event), ["call.received", "call.answered"]);
  place.agent.on((event) => heard.push(event));
  return { ...place, count, heard };
}

describe("replaySession", () => {
  it("emits the same events in the same order, and runs nothing", async (t) => {
    const place = await recorded(t, [
      { reasoning: "hm", text: "I will count.", calls: [call(), call(-1)] },
      { calls: [{ name: "no_such_tool", input: {} }] },
      { text: "Done." },
      { text: "You are welcome." },
    ]);
    const outcomes = [await place.agent.send("Count."), await place.agent.send("Thanks.")];
    const before = place.count();
    const again = await replayOf(place);
    assert.equal(again.difference, undefined);
    assert.deepEqual(again.outcomes, outcomes);
    assert.deepEqual(eventsOf(again.events), eventsOf(place.heard));
    assert.equal(place.count(), before);
    assert.deepEqual(
      await openTranscripts(place.collections).entries("s"),
      again.entries,
      "nothing was kept",
    );
  });

  it("follows a cancelled task and the one after it", async (t) => {
    const stopping = new AbortController();
    const place = await recorded(t, (_request, index) => {
      if (index === 1) stopping.abort();
      return index === 0 ? { calls: [call()] } : { text: "Here again." };
    });
    assert.equal((await place.agent.send("Count.", { signal: stopping.signal })).kind, "stopped");
    await place.agent.send("Are you there?");
    const again = await replayOf(place);
    assert.equal(again.difference, undefined);
    assert.deepEqual(
      again.outcomes.map(({ kind }) => kind),
      ["stopped", "answered"],
    );
  });

  it("fails if the model failed", async (t) => {
    const place = await recorded(t, (_request, index) => {
      if (index === 0) throw new ToolError("MODEL_FAILED", "the provider is on fire");
      return { text: "Better now." };
    });
    await place.agent.send("Hello?");
    await place.agent.send("And now?");
    const again = await replayOf(place);
    assert.equal(again.difference, undefined);
    const [failed] = again.outcomes;
    assert.ok(failed?.kind === "failed" && failed.fault.message === "the provider is on fire");
    assert.deepEqual(again.outcomes[1], { kind: "answered", text: "Better now." });
  });

  it("follows the loop's own messages: answers that were cut or empty, and loops", async (t) => {
    const circle = Array.from({ length: 3 }, () => ({ calls: [{ name: "unknown", input: {} }] }));
    const place = await recorded(t, [
      { text: "Part one", reason: "length" },
      { text: " and two." },
      { text: "" },
      { text: "Now with words." },
      ...circle,
      { text: "I stop." },
    ]);
    for (const text of ["Talk.", "Say nothing.", "Go in circles."]) await place.agent.send(text);
    const again = await replayOf(place);
    const guards = again.entries.flatMap((entry) =>
      entry.kind === "message" && entry.message.role === "user" ? (entry.message.from?.name ?? []) : [],
    );
    assert.deepEqual(guards, ["length", "empty", "loop"]);
    assert.equal(again.difference, undefined);
    assert.deepEqual(eventsOf(again.events), eventsOf(place.heard));
  });

  it("follows messages that arrived during a task, from the person and from others", async (t) => {
    const fromHook: UserMessage = {
      ...said("a file changed"),
      from: { kind: "hook", id: "h", name: "watcher" },
    };
    const waiting = [fromHook];
    const sending: { send?: () => void } = {};
    const place = await recorded(
      t,
      (_request, index) => {
        if (index === 0) sending.send?.();
        return index === 0 ? { calls: [call()] } : { text: "All read." };
      },
      { incoming: async () => waiting.splice(0) },
    );
    sending.send = () => void place.agent.send("One more thing.");
    await place.agent.send("Count.");
    const again = await replayOf(place);
    assert.equal(again.difference, undefined);
    assert.deepEqual(again.outcomes, [{ kind: "answered", text: "All read." }]);
    assert.deepEqual(eventsOf(again.events), eventsOf(place.heard));
  });

  it("follows a conversation that was compacted", async (t) => {
    const long = "word ".repeat(400);
    const place = await recorded(
      t,
      (request) => (request.tools.length === 0 ? { text: "## Facts\nmany words" } : { text: long }),
      { model: { window: 8000 } },
    );
    for (let turn = 0; turn < 15; turn += 1) await place.agent.send(`Turn ${turn}: ${long}`);
    const again = await replayOf(place);
    assert.ok(again.entries.some(({ kind }) => kind === "compaction"));
    assert.equal(again.difference, undefined);
    assert.equal(again.outcomes.length, 15);
  });

  const entries = (...bodies: readonly EntryBody[]): readonly Entry[] =>
    bodies.map((body, index) => ({ ...body, seq: index + 1, at: index }));
  const message = (one: Extract<EntryBody, { readonly kind: "message" }>["message"]): EntryBody => ({
    kind: "message",
    turn: 1,
    message: one,
  });
  const INFO: SessionInfo = {
    id: "s",
    title: "",
    agent: { id: "a", name: "Ada" },
    workspace: "/srv",
    model: "fake/model",
    state: "done",
    turns: 1,
    createdAt: 0,
    updatedAt: 0,
  };
  const answer = { role: "assistant", parts: [{ type: "text", text: "Done." }] } as const;

  it("reports where an answer is missing", async () => {
    const given = entries(message(said("Count.")), message(called({ id: "c1" })), message(answer));
    const { difference } = await replayed(INFO, given);
    assert.deepEqual(difference, { seq: 3, recorded: "a model answer", now: "look is called" });
  });

  it("reports where the loop makes more or fewer requests than recorded", async () => {
    const more = entries(message(said("Count.")), message(said("Again.")), message(called({ id: "c1" })), {
      kind: "message",
      turn: 1,
      message: { role: "tool", results: [] },
    });
    assert.equal((await replayed(INFO, more)).difference?.now, "look is called");
    const less = entries(message(said("Count.")), message(answer), message(answer));
    assert.deepEqual((await replayed(INFO, less)).difference, {
      seq: 3,
      recorded: "a model answer",
      now: "the task has ended",
    });
  });

  it("reports no difference at the end of a killed process", async () => {
    const given = entries(message(said("Count.")));
    assert.equal((await replayed(INFO, given)).difference, undefined);
    assert.equal((await replayed(INFO, [])).difference, undefined);
  });

  it("stops when it is aborted, also during a recorded pause", async () => {
    const stopping = new AbortController();
    const given: readonly Entry[] = [
      { ...message(said("Count.")), seq: 1, at: 0 },
      { ...message(answer), seq: 2, at: 3_600_000 },
    ];
    const done = replaySession({
      info: INFO,
      entries: given,
      speed: 1,
      signal: stopping.signal,
      onEvent: (event) => void (event.type === "agent.state" && stopping.abort()),
    });
    assert.equal(await done, undefined);
  });

  it("waits if a speed is given", async () => {
    const given: readonly Entry[] = [
      { ...message(said("Count.")), seq: 1, at: 0 },
      { ...message(answer), seq: 2, at: 40_000 },
    ];
    const startedAt = performance.now();
    await replayed(INFO, given, 1000);
    assert.ok(performance.now() - startedAt >= 39);
  });
});
