import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { context, metrics, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace";
import { call } from "../../../test/support/engines/engine.ts";
import type { ModelPart } from "../../core/agent/model.ts";
import { ToolError } from "../../core/errors.ts";
import { createEngine } from "../../engine/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";

function create(t: TestContext, options: TelemetryOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  t.after(() => context.disable());
  const tracer = provider.getTracer("test");
  const telemetry = createTelemetry({ tracer, ...options });
  return { telemetry, tracer, spans: () => exporter.getFinishedSpans() };
}

const quick = { risk: "low", effects: "none" } as const;
const say = defineTool({
  ...quick,
  name: "say",
  description: "Says a text.",
  input: object({ text: string() }),
  attributes: ({ text }) => ({ "say.length": text.length }),
  run: ({ text }) => (trace.getActiveSpan() === undefined ? "no span" : text),
});
const twice = defineTool({
  ...quick,
  name: "twice",
  description: "Says it twice.",
  input: object({ text: string() }),
  async run({ text }, { run }) {
    await run("say", { text });
    await run("say", { text });
    return "said";
  },
});
const fail = defineTool({
  ...quick,
  name: "fail",
  description: "Fails.",
  input: object({}),
  run(): string {
    throw new ToolError("UNAVAILABLE", "nobody is there");
  },
});
const risky = defineTool({
  name: "risky",
  description: "Needs approval.",
  input: object({}),
  risk: "high",
  run: () => "done",
});

function engineOf(t: TestContext, telemetry: Telemetry, options: EngineOptions = {}) {
  const engine = createEngine({
    tools: [say, twice, fail, risky],
    retry: { attempts: 1 },
    around: [telemetry.around],
    ...options,
  });
  const stop = telemetry.watch(engine);
  t.after(async () => {
    stop();
    await engine.close();
  });
  return engine;
}

function named(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `${name} is among ${spans.map((span) => span.name).join(", ")}`);
  return found;
}

test("a call is one span with the attributes of the conventions, of its tool and of its answer", async (t) => {
  const { telemetry, spans } = create(t);
  const engine = engineOf(t, telemetry);
  const result = await engine.run({ id: "c1", name: "say", input: { text: "hello" } }, { session: "s1" });
  assert.deepEqual(result.content, [{ type: "text", text: "hello" }], "the tool runs in the span");
  const [span, ...more] = spans();
  assert.deepEqual(more, []);
  assert.equal(span?.name, "execute_tool say");
  assert.deepEqual(span?.attributes, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "say",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.conversation.id": "s1",
    "toolwright.verdict": "allow",
    "toolwright.rule": span?.attributes["toolwright.rule"],
    "toolwright.tool.say.length": 5,
    "toolwright.place": "host",
    "toolwright.attempts": 1,
    "toolwright.source": result.meta.source,
  });
  assert.equal(span?.status.code, SpanStatusCode.UNSET);
});

test("content is in a span only if it is asked for, and cut", async (t) => {
  const { telemetry, spans } = create(t, { recordsContent: true });
  await engineOf(t, telemetry).run(call("say", { text: "x".repeat(20_000) }));
  const { attributes } = named(spans(), "execute_tool say");
  assert.equal(String(attributes["gen_ai.tool.call.arguments"]).length, 8193);
  assert.match(String(attributes["gen_ai.tool.call.arguments"]), /^\{"text":"x+…$/);
  assert.match(String(attributes["gen_ai.tool.call.result"]), /^x+/);
});

test("calls inside a call are below it, and it is below the caller's span", async (t) => {
  const { telemetry, tracer, spans } = create(t);
  const engine = engineOf(t, telemetry);
  await tracer.startActiveSpan("request", async (span) => {
    await engine.run(call("twice", { text: "hello" }));
    span.end();
  });
  const [request, outer] = [named(spans(), "request"), named(spans(), "execute_tool twice")];
  assert.equal(outer.parentSpanContext?.spanId, request.spanContext().spanId);
  const inner = spans().filter(({ name }) => name === "execute_tool say");
  assert.equal(inner.length, 2);
  for (const span of inner) assert.equal(span.parentSpanContext?.spanId, outer.spanContext().spanId);
});

test("a failed, a denied and an invalid call have their code as error type", async (t) => {
  const { telemetry, spans } = create(t);
  const engine = engineOf(t, telemetry, {
    approver: { ask: async () => ({ approved: false, reason: "not now" }) },
  });
  await engine.runAll([call("fail", {}), call("risky", {}), call("say", { text: 1, wrong: true })]);
  const failed = named(spans(), "execute_tool fail");
  assert.equal(failed.attributes["error.type"], "UNAVAILABLE");
  assert.deepEqual(failed.status, { code: SpanStatusCode.ERROR, message: "nobody is there" });
  const denied = named(spans(), "execute_tool risky");
  assert.equal(denied.attributes["error.type"], "DENIED");
  assert.equal(denied.attributes["toolwright.verdict"], "ask");
  assert.equal(denied.attributes["toolwright.approval.given"], false);
  assert.equal(named(spans(), "execute_tool say").attributes["error.type"], "INVALID_INPUT");
});

test("the wait of a call that is cancelled before its question is answered is no part of its duration", async (t) => {
  const recorded: [name: string, seconds: number][] = [];
  const meter = metrics.getMeter("none");
  t.mock.method(meter, "createHistogram", (name: string) => ({
    record: (seconds: number) => void recorded.push([name, seconds]),
  }));
  const { telemetry, spans } = create(t, { meter });
  t.mock.timers.enable({ apis: ["Date"], now: 1000 });
  const ended = new AbortController();
  const engine = engineOf(t, telemetry, {
    approver: {
      ask() {
        t.mock.timers.setTime(61_000);
        ended.abort();
        return new Promise(() => undefined);
      },
    },
  });
  await engine.run(call("risky", {}), { signal: ended.signal });
  const { attributes } = named(spans(), "execute_tool risky");
  assert.equal(attributes["error.type"], "CANCELLED");
  assert.equal(attributes["toolwright.approval.seconds"], 60);
  assert.deepEqual(
    recorded.map(([name, seconds]) => [name, Math.round(seconds)]),
    [
      ["toolwright.approval.duration", 60],
      ["gen_ai.execute_tool.duration", 0],
    ],
  );
});

test("concurrent calls with one id in two sessions keep their spans apart", async (t) => {
  const { telemetry, spans } = create(t);
  const engine = engineOf(t, telemetry);
  const run = (session: string) =>
    engine.run({ id: "1", name: "twice", input: { text: session } }, { session });
  await Promise.all([run("one"), run("two")]);
  for (const session of ["one", "two"]) {
    const own = spans().filter(({ attributes }) => attributes["gen_ai.conversation.id"] === session);
    const outer = named(own, "execute_tool twice");
    assert.equal(own.length, 3);
    for (const span of own.filter((one) => one !== outer))
      assert.equal(span.parentSpanContext?.spanId, outer.spanContext().spanId);
  }
});

test("the parent of another process is the one that traceparent names; an invalid one is ignored", async (t) => {
  const { telemetry, spans } = create(t);
  const engine = engineOf(t, telemetry);
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  await telemetry.below(`00-${traceId}-${spanId}-01`, () => engine.run(call("say", { text: "a" })));
  const [first] = spans();
  assert.equal(first?.spanContext().traceId, traceId);
  assert.equal(first?.parentSpanContext?.spanId, spanId);
  for (const wrong of [
    undefined,
    5,
    "",
    "00-x",
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
  ]) {
    await telemetry.below(wrong, () => engine.run(call("say", { text: "a" })));
    assert.equal(spans().at(-1)?.parentSpanContext, undefined, String(wrong));
  }
});

const DONE: ModelPart = {
  type: "done",
  parts: [],
  reason: "calls",
  usage: { inputTokens: 10, outputTokens: 2 },
};
const MODEL = { id: "google/some/name", format: "google", window: 1000, price: undefined } as const;
const REQUEST = { instructions: "", messages: [], tools: [], signal: new AbortController().signal };

test("a model request is a span below the agent's, with its tokens; a failure and an early end have an error type", async (t) => {
  const { telemetry, spans } = create(t);
  const model = telemetry.model({
    ...MODEL,
    async *stream({ instructions }) {
      yield { type: "text", text: "a" };
      if (instructions === "fail") throw new ToolError("MODEL_FAILED", "it broke off");
      yield DONE;
    },
  });
  const read = async (instructions: string, limit = 10): Promise<number> => {
    let count = 0;
    for await (const _ of model.stream({ ...REQUEST, instructions })) if ((count += 1) === limit) break;
    return count;
  };
  const agent = { identity: { id: "a1", name: "Ann" }, session: "s1" };
  assert.equal(await telemetry.agent(agent, () => read("")), 2);
  const [chat, task] = [named(spans(), "chat some/name"), named(spans(), "invoke_agent Ann")];
  assert.equal(chat.parentSpanContext?.spanId, task.spanContext().spanId);
  assert.deepEqual(chat.attributes, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "gcp.gemini",
    "gen_ai.request.model": "some/name",
    "gen_ai.conversation.id": "s1",
    "gen_ai.response.finish_reasons": ["tool_call"],
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
  });
  assert.equal(task.attributes["gen_ai.conversation.id"], "s1");
  await assert.rejects(read("fail"), /it broke off/);
  assert.equal(spans().at(-1)?.attributes["error.type"], "MODEL_FAILED");
  await read("", 1);
  assert.equal(spans().at(-1)?.attributes["error.type"], "CANCELLED");
});

test("how a task of an agent ended is on its span", async (t) => {
  const { telemetry, spans } = create(t);
  const agent = { identity: { id: "a1", name: "Ann" }, session: "s1" };
  const ends = [
    [{ kind: "answered", text: "" }, undefined],
    [{ kind: "stopped", why: "turns", detail: "" }, "turns"],
    [{ kind: "failed", fault: { code: "MODEL_FAILED", message: "no" } }, "MODEL_FAILED"],
  ] as const;
  for (const [outcome, type] of ends) {
    await telemetry.agent(agent, async () => outcome);
    assert.equal(spans().at(-1)?.attributes["error.type"], type);
  }
  await assert.rejects(
    telemetry.agent(agent, async () => Promise.reject(new Error("x"))),
    /x/,
  );
  assert.equal(spans().length, 4);
});

test("without an SDK nothing is recorded, and calls run as before", async (t) => {
  const telemetry = createTelemetry({ meter: metrics.getMeter("none") });
  const engine = engineOf(t, telemetry);
  const result = await engine.run(call("twice", { text: "a" }));
  assert.equal(result.ok, true);
});
