import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { callsOf, type AssistantPart, type Message } from "../core/agent/message.ts";
import type { Model, ModelPart, ModelRequest } from "../core/agent/model.ts";
import type { ToolResult } from "../core/result.ts";
import { collect, requestOf, userMessage, textIn } from "../../test/support/models/provider-model.ts";
import { DIALECT_NAMES } from "./text-calls/dialects/dialects.ts";
import { renderCalls } from "./text-calls/write/render.ts";
import { withLeakedCalls, withTextCalls } from "./text-model.ts";

interface TestModel {
  readonly model: Model;
  readonly requests: readonly ModelRequest[];
}

/** A model without native calls that answers with these texts in chunks of `size` characters. */
function modelOf(
  texts: readonly string[],
  { size = 3, reason = "stop" }: { readonly size?: number; readonly reason?: "stop" | "length" } = {},
): TestModel {
  const requests: ModelRequest[] = [];
  const model: Model = {
    id: "test/model",
    format: "openai",
    window: 1000,
    price: undefined,
    async *stream(request): AsyncIterable<ModelPart> {
      const text = texts[requests.push(request) - 1] ?? "";
      await Promise.resolve();
      for (let at = 0; at < text.length; at += size) yield { type: "text", text: text.slice(at, at + size) };
      const parts: readonly AssistantPart[] = [{ type: "text", text }];
      yield { type: "done", parts, reason, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  return { model, requests };
}

test("tool use is asked for in the instructions; none shows no tool", async () => {
  const { model, requests } = modelOf(["", "", "", ""]);
  const text = withTextCalls(model, "hermes");
  for (const toolUse of ["auto", "none", "required", { tool: "get_weather" }] as const)
    await collect(text, requestOf({ toolUse, streamsInput: ["get_weather"] }));
  const [auto, none, required, one] = requests.map(({ instructions }) => instructions);
  assert.equal(none, "Be brief.");
  assert.equal(required, `${auto}\n\nYour next answer must call a tool.`);
  assert.equal(one, `${auto}\n\nYour next answer must call the tool get_weather.`);
  assert.ok(requests.every((request) => !("toolUse" in request) && !("streamsInput" in request)));
});

const CALLS = [
  { name: "get_weather", input: { city: "Oslo" } },
  { name: "get_weather", input: { city: "Bergen" } },
];

for (const dialect of DIALECT_NAMES) {
  test(`calls in ${dialect} are found, and are sent back with their results as text`, async () => {
    const { model, requests } = modelOf([`I look.\n${renderCalls(dialect, CALLS)}`, "Rain."]);
    const text = withTextCalls(model, dialect);
    const first = await collect(text);
    const message = { role: "assistant", parts: first.done.parts } as const;
    const calls = callsOf(message);
    assert.deepEqual(
      calls.map(({ name, input }) => ({ name, input })),
      CALLS,
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
    assert.equal(first.done.reason, "calls");
    assert.equal(textIn(first.parts, "text").trim(), "I look.");
    const results = calls.map(({ id }, index) => result(id, `rain ${index}`));
    const second = await collect(
      text,
      requestOf({ messages: [userMessage("Weather?"), message, { role: "tool", results }] }),
    );
    assert.equal(second.done.reason, "stop");
    const [, spoken, answered] = requests[1]?.messages ?? [];
    assert.ok(
      written(spoken).startsWith("I look.\n") && written(spoken).endsWith(renderCalls(dialect, CALLS)),
    );
    assert.equal(answered?.role, "user");
    assert.ok(written(answered).includes("rain 0") && written(answered).includes("rain 1"));
    assert.deepEqual(requests[1]?.tools, []);
  });
}

function written(message: Message | undefined): string {
  if (message?.role === "user")
    return message.content.map((one) => (one.type === "text" ? one.text : one.type)).join("");
  return message?.role === "assistant"
    ? message.parts.map((one) => (one.type === "text" ? one.text : "")).join("")
    : "";
}

function result(callId: string, text: string): ToolResult {
  const meta = { startedAt: 0, durationMs: 1, place: "host", attempts: 1, source: "test" } as const;
  return { callId, name: "get_weather", ok: true, content: [{ type: "text", text }], meta };
}

test("a call that cannot be read is an unreadable call, and is sent back as it was written", async () => {
  const raw = '<tool_call>\n{"name": "get_weather", "arguments": {oh no}}\n</tool_call>';
  const { model, requests } = modelOf([raw, ""]);
  const text = withTextCalls(model, "hermes");
  const { done } = await collect(text);
  const [call] = callsOf({ role: "assistant", parts: done.parts });
  assert.equal(done.reason, "calls");
  assert.notEqual(call?.unreadable ?? "", "");
  assert.equal(call?.input, raw);
  await collect(text, requestOf({ messages: [userMessage("?"), { role: "assistant", parts: done.parts }] }));
  assert.equal(written(requests[1]?.messages[1]), raw);
});

test("a call in an answer that was cut off is unreadable, and the stop reason is length", async () => {
  const { model } = modelOf(["<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n"], {
    reason: "length",
  });
  const { done } = await collect(withTextCalls(model, "strix"));
  const [call] = callsOf({ role: "assistant", parts: done.parts });
  assert.notEqual(call?.unreadable ?? "", "");
  assert.equal(done.reason, "length");
});

test("a text model without tools reads no calls", async () => {
  const { model } = modelOf([renderCalls("hermes", CALLS)]);
  const { done } = await collect(withTextCalls(model, "hermes"), requestOf({ tools: [] }));
  assert.deepEqual(
    done.parts.map(({ type }) => type),
    ["text"],
  );
  assert.equal(done.reason, "stop");
});

test("auto writes in one dialect and reads all", async () => {
  const { model, requests } = modelOf([renderCalls("mistral", CALLS)]);
  const { done } = await collect(withTextCalls(model, "auto"));
  assert.equal(callsOf({ role: "assistant", parts: done.parts }).length, 2);
  assert.match(requests[0]?.instructions ?? "", /<tool_call>/);
});

test("reasoning is not changed, and images in results are sent", async () => {
  const { model, requests } = modelOf(["", ""]);
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const answered = { ...result("1", "see:"), content: [{ type: "text", text: "see:" }, image] } as const;
  const parts: readonly AssistantPart[] = [
    { type: "reasoning", text: "hm", opaque: { anthropic: { signature: "s" } } },
    { type: "call", call: { id: "1", name: "get_weather", input: {} } },
  ];
  const messages: readonly Message[] = [
    userMessage("?"),
    { role: "assistant", parts },
    { role: "tool", results: [answered] },
  ];
  await collect(withTextCalls(model, "hermes"), requestOf({ messages }));
  const [, spoken, shown] = requests[0]?.messages ?? [];
  assert.ok(spoken?.role === "assistant" && shown?.role === "user");
  assert.deepEqual(spoken.parts[0], parts[0]);
  assert.deepEqual(shown.content[1], image);
});

test("leaked calls do not depend on where the text is cut", async () => {
  const texts = [
    `Sure.\n${renderCalls("hermes", CALLS)}\nThere.`,
    renderCalls("qwen3-coder", CALLS),
    "No call, but a <tag> and {json: 1} and [a](b).",
    '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
    '{"name": "unknown", "arguments": {"city": "Oslo"}}',
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), fc.integer({ min: 1, max: 40 }), async (text, size) => {
      const whole = await collect(withLeakedCalls(modelOf([text], { size: text.length }).model));
      const cut = await collect(withLeakedCalls(modelOf([text], { size }).model));
      assert.deepEqual(withoutIds(cut.done.parts), withoutIds(whole.done.parts));
      assert.equal(textIn(cut.parts, "text"), textIn(whole.parts, "text"));
    }),
  );
});

function withoutIds(parts: readonly AssistantPart[]): readonly unknown[] {
  return parts.map((part) => (part.type === "call" ? { ...part.call, id: "" } : part));
}

test("JSON with an unknown tool is text, and a marked call of an unknown tool is a call that the engine answers", async () => {
  const json = '{"name": "unknown", "arguments": {}}';
  const plain = await collect(withLeakedCalls(modelOf([json]).model));
  assert.deepEqual(plain.done.parts, [{ type: "text", text: json }]);
  const marked = await collect(withLeakedCalls(modelOf([`<tool_call>${json}</tool_call>`]).model));
  const [call] = callsOf({ role: "assistant", parts: marked.done.parts });
  assert.deepEqual([call?.name, call?.unreadable], ["unknown", undefined]);
});

test("a marked call by an alias has the types of the tool, and a tag named like an alias is text", async () => {
  const input = { type: "object", properties: { lines: { type: "array" } } };
  const tools = [{ name: "shell", description: "", input, aliases: ["terminal_execute"] }];
  const partsOf = async (text: string): Promise<readonly AssistantPart[]> =>
    (await collect(withLeakedCalls(modelOf([text]).model), requestOf({ tools }))).done.parts;
  const marked = "<function=terminal_execute><parameter=lines>[1]</parameter></function>";
  const [call] = callsOf({ role: "assistant", parts: await partsOf(marked) });
  assert.deepEqual([call?.name, call?.input], ["terminal_execute", { lines: [1] }]);
  const tag = "<terminal_execute>\n<lines>[1]</lines>\n</terminal_execute>";
  assert.deepEqual(await partsOf(tag), [{ type: "text", text: tag }]);
});

test("calls are found in an answer that was not streamed, and in each text of an answer with several", async () => {
  const native: AssistantPart = { type: "call", call: { id: "1", name: "list_cities", input: {} } };
  const texts = ["Oslo:", "Bergen:"].map((head, index): AssistantPart => {
    return { type: "text", text: `${head}\n${renderCalls("hermes", CALLS.slice(index, index + 1))}` };
  });
  for (const isStreamed of [true, false]) {
    const model: Model = {
      ...modelOf([]).model,
      async *stream(): AsyncIterable<ModelPart> {
        await Promise.resolve();
        for (const part of isStreamed ? texts : [])
          if (part.type === "text") yield { type: "text", text: part.text };
        const parts = [...texts.slice(0, 1), native, ...texts.slice(1)];
        yield { type: "done", parts, reason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const { done } = await collect(withLeakedCalls(model));
    assert.equal(done.reason, "calls");
    assert.deepEqual(
      done.parts.map((part) => (part.type === "call" ? part.call.input : part.text.trim())),
      ["Oslo:", { city: "Oslo" }, {}, "Bergen:", { city: "Bergen" }],
    );
  }
});

test("a repaired call says what was repaired, and is unreadable if repairs are off", async () => {
  const text = '<tool_call>{"name":"get_weather","arguments":{"CITY":"Rome"}}</tool_call>';
  const tools = [
    {
      ...(requestOf({}).tools[0] ?? { name: "", description: "" }),
      name: "get_weather",
      input: { type: "object", properties: { city: { type: "string" } } },
    },
  ] as never;
  for (const repair of [true, false]) {
    const { model } = modelOf([text]);
    const { done } = await collect(withTextCalls(model, "hermes", { repair }), requestOf({ tools }));
    const [call] = callsOf({ role: "assistant", parts: done.parts });
    assert.equal(call?.repaired, repair ? '"CITY" for "city"' : undefined);
    assert.equal(call?.unreadable !== undefined, !repair);
  }
});
