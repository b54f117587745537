import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../core/errors.ts";
import type { EngineEvent } from "../core/events.ts";
import type { Hook } from "../core/hook.ts";
import { add, call, codeOf, eventsOf } from "../../test/support/engines/engine.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { object, string } from "../schema/define/schema.ts";
import { createEngine } from "./engine.ts";

test("the events of a call are in order, and a listener that throws or rejects affects nothing", async () => {
  const engine = createEngine({ tools: [add] });
  const rejecting: () => unknown = () => Promise.reject(new Error("bad async listener"));
  engine.on(rejecting);
  engine.on(() => {
    throw new Error("bad listener");
  });
  const events = eventsOf(engine);
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 2 }))), "ok");
  assert.deepEqual(
    events.map((event) => event.type),
    ["call.received", "call.judged", "call.started", "call.answered"],
  );
});

test("options that are null are as none", async () => {
  const engine = createEngine({ tools: [add] });
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 2 }), null as never)), "ok");
});

test("a listener that names events receives no others", async () => {
  const engine = createEngine({ tools: [add] });
  const received: string[] = [];
  const stop = engine.on((event) => received.push(event.type), ["call.answered"]);
  await engine.run(call("add", { a: 1, b: 2 }));
  stop();
  await engine.run(call("add", { a: 1, b: 2 }));
  assert.deepEqual(received, ["call.answered"]);
});

test("events carry no secrets", async () => {
  const echo = defineTool({
    name: "echo",
    description: "",
    input: object({ text: string() }),
    risk: "low",
    attributes: ({ text }) => ({ text }),
    run: ({ text }, { emit }) => (emit(text), emit({ message: text, data: { text } }), text),
  });
  const engine = createEngine({ tools: [echo], secrets: ["swordfish99"] });
  const events = eventsOf(engine);
  const result = await engine.run(call("echo", { text: "it is swordfish99" }));
  assert.equal(JSON.stringify([events, result]).includes("swordfish99"), false);
});

test("every event has its time, its session and the call that made the call", async (t) => {
  let now = 1_767_225_600_000;
  t.mock.method(Date, "now", () => (now += 1));
  t.mock.method(performance, "now", () => 0);
  const inner = defineTool({
    name: "inner",
    description: "Is called by another tool.",
    input: object({}),
    effects: "idempotent",
    run(_input, { emit, attempt }) {
      emit("working");
      if (attempt === 1) throw new ToolError("UNAVAILABLE", "once");
      return "done";
    },
  });
  const outer = defineTool({
    name: "outer",
    description: "Calls another tool.",
    input: object({}),
    risk: "low",
    run: async (_input, { run }) => (await run("inner", {})).ok,
  });
  const hook: Hook = { name: "looks", on: ["before_tool"], run: () => undefined };
  const approver = { ask: async () => ({ approved: true, scope: "session" }) as const };
  const engine = createEngine({ approver, hooks: [hook], retry: { firstWaitMs: 0 } });
  const events = eventsOf(engine);
  const before = now;
  engine.add([inner, outer]);
  engine.groups.create("more");
  await engine.run({ id: "1", name: "outer", input: {} }, { session: "s" });
  const isOfCall = (event: EngineEvent): event is EngineEvent & { readonly callId: string } =>
    "callId" in event;
  const ofCalls = events.filter(isOfCall);
  assert.deepEqual(
    [...new Set(ofCalls.filter(({ callId }) => callId === "1.1").map(({ type }) => type))].toSorted(),
    [
      "approval.answered",
      "approval.asked",
      "approval.saved",
      "call.answered",
      "call.judged",
      "call.progressed",
      "call.received",
      "call.retried",
      "call.started",
      "hook.decided",
    ],
  );
  for (const { callId, session, parentId } of ofCalls)
    assert.deepEqual([session, parentId], ["s", callId === "1" ? undefined : "1"]);
  for (const { at } of events) assert.ok(at >= before && at <= now);
  // As JSON, the received event has them too: its input is computed when it is read.
  assert.match(JSON.stringify(events.find(({ type }) => type === "call.received")), /"at":\d+,"session":"s"/);
});
