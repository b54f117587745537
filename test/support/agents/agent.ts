import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { AgentEvent } from "../../../src/agent/runtime/agent-events.ts";
import { createAgent } from "../../../src/agent/create-agent.ts";
import type { AgentOptions, RunningAgent } from "../../../src/agent/runtime/running-agent.ts";
import type { Collections } from "../../../src/core/store/collection.ts";
import type { Journal } from "../../../src/core/store/journal.ts";
import { callsOf, type Message } from "../../../src/core/agent/message.ts";
import type { Model } from "../../../src/core/agent/model.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../../src/engine/types/options.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { engineOf } from "../engines/sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { fakeModel, type FakeAnswer, type FakeModel } from "../models/fake-model.ts";

export interface AgentPlace {
  readonly agent: RunningAgent;
  readonly engine: Engine;
  readonly model: FakeModel;
  readonly events: readonly AgentEvent[];
  readonly collections: Collections;
  readonly journal: Journal;
  /** The folder of its store. */
  readonly folder: string;
}

export interface AgentPlaceOptions extends Partial<Omit<AgentOptions, "engine" | "model">> {
  readonly engine?: EngineOptions;
  /** Used instead of the fake model. */
  readonly realModel?: Model;
  readonly model?: Parameters<typeof fakeModel>[1];
  readonly folder?: string;
}

type Answers = readonly FakeAnswer[] | Parameters<typeof fakeModel>[0];

/** Opens an agent on a real engine and a real store, with a model that gives one answer after the other. */
export async function openAgent(
  t: TestContext,
  answers: Answers,
  {
    engine: engineOptions = {},
    model: modelOptions,
    folder: given,
    realModel,
    ...options
  }: AgentPlaceOptions = {},
): Promise<AgentPlace> {
  const folder = given ?? temporaryFolder(t);
  const store = await openStore({ folder });
  const { collections, journal } = store;
  const engine = engineOf(t, { journal, ...engineOptions });
  const model = fakeModel(inTurn(answers), modelOptions);
  const agent = await createAgent({
    engine,
    model: realModel ?? model,
    collections,
    journal,
    session: "s",
    identity: { id: "a", name: "tester" },
    workspace: folder,
    instructions: "Do as you are told.",
    ...options,
  });
  const events: AgentEvent[] = [];
  agent.on((event) => events.push(event));
  t.after(async () => {
    await agent.close();
    await engine.close();
    await store.close();
  });
  return { agent, engine, model, events, collections, journal, folder };
}

/** Returns one answer after the other; fails if there are no more. */
function inTurn(answers: Answers): Parameters<typeof fakeModel>[0] {
  if (typeof answers === "function") return answers;
  return (_request, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`the fake model has no answer number ${index + 1}`);
    return answer;
  };
}

/** The events of one type. */
export function eventsOf<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): readonly Extract<AgentEvent, { readonly type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { readonly type: Type }> => event.type === type);
}

/** Describes a conversation: the role and the visible text of each message. */
export function inShort(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    if (message.role === "user")
      return `user: ${message.content.map((one) => (one.type === "text" ? one.text : one.type)).join(" ")}`;
    if (message.role === "tool")
      return `tool: ${message.results.map(({ callId, ok }) => `${callId} ${ok ? "ok" : "failed"}`).join(", ")}`;
    const parts = message.parts.map((part) => (part.type === "call" ? `(${part.call.id})` : part.text));
    return `assistant: ${parts.join(" ")}`;
  });
}

/** Asserts that every call has its result directly after it and in order, that call ids are unique, and that no message is empty. */
export function assertWhole(messages: readonly Message[]): void {
  const ids = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") assert.ok(message.content.length > 0);
    if (message.role === "tool") assert.equal(messages[index - 1]?.role, "assistant");
    if (message.role !== "assistant") continue;
    const calls = callsOf(message);
    const said = message.parts.some((part) => part.type === "text" && part.text.trim() !== "");
    assert.ok(said || calls.length > 0);
    for (const { id } of calls) assert.ok(id !== "" && !ids.has(id) && ids.add(id));
    const next = messages[index + 1];
    assert.deepEqual(
      next?.role === "tool" ? next.results.map(({ callId }) => callId) : [],
      calls.map(({ id }) => id),
    );
  }
}
