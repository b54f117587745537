import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { ToolCall } from "../../src/core/call.ts";
import type { Content } from "../../src/core/content.ts";
import type { AssistantPart, Message } from "../../src/core/agent/message.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { collect, modelOn, requestOf, userMessage } from "../support/models/provider-model.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import type { Wire } from "../support/models/provider-wire.ts";

type Name = keyof typeof WIRES;
const NAMES = Object.keys(WIRES) as readonly Name[];
const PNG = "iVBORw0KGgo=";

/** Returns the turns of a request in its provider's format. */
async function sent(
  t: TestContext,
  name: Name,
  messages: readonly Message[],
  id?: string,
): Promise<readonly Turn[]> {
  const wire: Wire = id === undefined ? WIRES[name] : { ...WIRES[name], id };
  const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
  await collect(model, requestOf({ instructions: "", messages }));
  const body = server.requests[0]?.body ?? {};
  return (body["messages"] ?? body["contents"] ?? body["input"]) as readonly Turn[];
}

type Turn = Readonly<Record<string, unknown>>;

function calling(...calls: readonly (Partial<ToolCall> | AssistantPart)[]): Message {
  const parts = calls.map((call, index): AssistantPart => {
    if ("type" in call) return call;
    return { type: "call", call: { id: `c${index}`, name: "get_weather", input: {}, ...call } };
  });
  return { role: "assistant", parts };
}

function answered(...contents: readonly (readonly Content[] | string)[]): Message {
  return { role: "tool", results: contents.map((content, index) => result(`c${index}`, content)) };
}

const META = { startedAt: 0, durationMs: 1, place: "host", attempts: 1, source: "test" } as const;

function result(callId: string, content: readonly Content[] | string): ToolResult {
  const pieces: readonly Content[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { callId, name: "get_weather", ok: true, content: pieces, meta: META };
}

const LOOK: Content = { type: "text", text: "look" };
const IMAGE: Content = { type: "image", data: PNG, mimeType: "image/png" };
const ODD_IMAGE: Content = { type: "image", data: PNG, mimeType: "image/tiff" };
const NOTES: Content = {
  type: "file",
  data: Buffer.from("bréad").toString("base64"),
  mimeType: "text/plain",
  name: "notes.txt",
};

for (const name of NAMES) {
  test(`${name}: an image in a result is sent, an unsupported one is named, and a text file is written out`, async (t) => {
    const turns = await sent(t, name, [
      userMessage("?"),
      calling({}),
      answered([LOOK, IMAGE, ODD_IMAGE, NOTES]),
    ]);
    const text = JSON.stringify(turns);
    assert.ok(text.includes(PNG), text);
    assert.equal(text.split(PNG).length, 2, "exactly one of the two images is sent");
    assert.match(text, /\[image, image\/tiff: cannot be shown here\]/);
    assert.match(text, /\[file notes\.txt\]\\nbréad/);
    const isAfter = ["openai-chat", "compatible", "ollama"].includes(name);
    assert.match(text, isAfter ? /image\/png: attached in the next message\]/ : /image\/png: attached\]/);
    if (isAfter) assert.equal(turns.at(-1)?.["role"], "user");
  });

  test(`${name}: a failed result with an image has its text, and an error mark if the provider has one`, async (t) => {
    const failed: ToolResult = {
      ...result("c0", [{ type: "text", text: "Error: no" }, IMAGE]),
      ok: false,
      error: { code: "TOOL_FAILED", message: "no" },
    };
    const turns = await sent(t, name, [userMessage("?"), calling({}), { role: "tool", results: [failed] }]);
    const text = JSON.stringify(turns);
    assert.match(text, /Error: no/);
    if (name === "anthropic") assert.match(text, /"is_error":true/);
    if (name === "google") assert.match(text, /"error":"Error: no/);
    if (name === "anthropic" || name === "google") assert.doesNotMatch(text, new RegExp(PNG));
  });

  test(`${name}: an unreadable call is sent back as an object that the provider accepts`, async (t) => {
    const turns = await sent(t, name, [
      userMessage("?"),
      calling(
        { input: '{"city": oh', unreadable: "no JSON" },
        { input: [1, 2] },
        { name: "a b.c", input: {} },
      ),
      { role: "tool", results: ["c1", "c2", "c3"].map((id) => result(id, "Error: no")) },
    ]);
    const inputs = callsIn(turns);
    assert.doesNotMatch(JSON.stringify(turns), /"\\n\\n"/, "white space alone is not sent as text");
    assert.deepEqual(
      inputs.map(({ input }) => input),
      [{ __raw__: '{"city": oh' }, { __raw__: "[1,2]" }, {}],
    );
    assert.equal(inputs[2]?.name, "a_b_c");
  });

  test(`${name}: consecutive user messages are merged, and empty ones are left out or marked`, async (t) => {
    const empty: Message = { role: "user", content: [{ type: "text", text: "" }] };
    const silent = calling({ type: "text", text: "" }, { type: "reasoning", text: "hm" });
    const turns = await sent(t, name, [
      userMessage("One."),
      silent,
      userMessage("Two."),
      calling({ type: "text", text: "Yes." }),
      empty,
    ]);
    assert.deepEqual(
      turns.map(({ role }) => (role === "model" ? "assistant" : role)),
      ["user", "assistant", "user"],
    );
    assert.match(JSON.stringify(turns[0]), /One\.\\n\\nTwo\./);
    assert.match(JSON.stringify(turns[2]), /\(empty\)/);
  });

  test(`${name}: a user message may be only an image`, async (t) => {
    const turns = await sent(t, name, [{ role: "user", content: [IMAGE] }]);
    assert.ok(JSON.stringify(turns).includes(PNG));
    assert.doesNotMatch(JSON.stringify(turns), /\(empty\)|"content":\[\]/);
  });

  test(`${name}: a conversation with another provider can be continued`, async (t) => {
    const turns = await sent(t, name, [
      userMessage("?"),
      calling(
        { type: "reasoning", text: "elsewhere", opaque: { other: { signature: "x" } } },
        { type: "text", text: "I look.", opaque: { other: { itemId: "y" } } },
        {
          type: "call",
          call: { id: `functions.get_weather:0|${"x".repeat(60)}`, name: "get_weather", input: {} },
        },
      ),
      { role: "tool", results: [result(`functions.get_weather:0|${"x".repeat(60)}`, "rain")] },
    ]);
    const [call] = callsIn(turns);
    if (["anthropic", "openai", "openai-chat"].includes(name))
      assert.match(String(call?.id), /^[\w-]{1,40}$/);
    assert.equal(
      JSON.stringify(turns).split(`"${String(call?.id)}"`).length,
      3,
      "the call and its result have one id",
    );
    assert.doesNotMatch(JSON.stringify(turns), /signature":"x"|"y"/);
  });
}

interface SentCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
}

function callsIn(turns: readonly Turn[]): readonly SentCall[] {
  return turns.flatMap((turn) => {
    const inside = [turn["content"], turn["parts"], turn["tool_calls"]].flatMap((list) =>
      Array.isArray(list) ? (list as readonly Turn[]) : [],
    );
    return [turn, ...inside].flatMap(toSentCall);
  });
}

function toSentCall(fields: Turn): readonly SentCall[] {
  const called = (fields["functionCall"] ?? fields["function"]) as Turn | undefined;
  const isCall = called !== undefined || fields["type"] === "tool_use" || fields["type"] === "function_call";
  if (!isCall) return [];
  const all = { ...fields, ...called };
  const input = all["input"] ?? all["args"] ?? all["arguments"];
  return [
    {
      id: all["call_id"] ?? all["id"],
      name: all["name"],
      input: typeof input === "string" ? (JSON.parse(input) as unknown) : input,
    },
  ];
}

test("Gemini before 3 gets one response per call, with images beside it", async (t) => {
  const messages = [userMessage("?"), calling({}), answered([LOOK, { type: "text", text: "twice" }, IMAGE])];
  const turns = await sent(t, "google", messages, "google/gemini-2.5-pro");
  const parts = turns.at(-1)?.["parts"] as readonly Turn[];
  assert.equal(parts.filter((part) => "functionResponse" in part).length, 1);
  assert.equal(parts.filter((part) => "inlineData" in part).length, 1);
});

test("Anthropic is asked to cache the instructions and the conversation so far", async (t) => {
  const wire: Wire = WIRES.anthropic;
  const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
  await collect(model, requestOf({ messages: [userMessage("One."), calling({}), answered("rain")] }));
  const marks = [...(server.requests[0]?.text ?? "").matchAll(/"cache_control":\{"type":"ephemeral"\}/g)];
  assert.equal(marks.length, 2);
  assert.match(server.requests[0]?.text ?? "", /"tool_use_id":"c0","content":"rain","cache_control"/);
});

test("an answer of an older Ollama without a stop reason and without optional fields is read", async (t) => {
  const body = '{"message":{"content":"Hi"},"done":false}\n{"done":true,"eval_count":2}';
  const { model } = await modelOn(t, WIRES.ollama, [{ body }]);
  const { done } = await collect(model);
  assert.deepEqual([done.parts, done.reason], [[{ type: "text", text: "Hi" }], "stop"]);
});
