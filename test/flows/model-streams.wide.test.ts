import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, type Message } from "../../src/core/agent/message.ts";
import type { ModelRequest, StopReason } from "../../src/core/agent/model.ts";
import { collect, KEY, modelOn, requestOf, userMessage, textIn } from "../support/models/provider-model.ts";
import type { Streamed, Wire } from "../support/models/provider-wire.ts";
import { isLong } from "../support/property-runs.ts";
import { WIRES } from "../support/models/provider-streams.ts";

type Name = keyof typeof WIRES;

const wires = Object.entries(WIRES) as readonly (readonly [Name, Wire])[];

const REASONING = "Hm, Östersund? 😀 No.";
const TEXT = "Let me löok: 😀\n\nx < y.";
const CALLING: Streamed = {
  reasoning: REASONING,
  text: TEXT,
  calls: [
    { id: "call_a1", name: "get_weather", json: '{"city":"Tromsø","days":3}' },
    { id: "call_b2", name: "list_cities", json: "{}" },
  ],
};

/** A schema with keywords that the package for OpenAI drops, replaces or rejects. */
const ODD = {
  type: "object",
  properties: {
    any: { propertyNames: false },
    named: { type: "object", propertyNames: { pattern: "^(?=a)" }, additionalProperties: { type: "string" } },
    one: { allOf: [{ $ref: "#/$defs/one" }] },
  },
  $defs: { one: { type: "string", pattern: "^(?!x)" } },
};

/** The metadata that each provider attaches to its parts. */
const METADATA: Readonly<Partial<Record<Name, readonly unknown[]>>> = {
  anthropic: [{ anthropic: { signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h" } }, undefined, undefined, undefined],
  openai: [
    {
      openai: {
        itemId: "rs_68af4030baa48193b0b43b4c2a176a1a0e6967589f080e77",
        reasoningEncryptedContent: "gAAAAABowhole",
      },
    },
    { openai: { itemId: "msg_67c9fdcf37fc8190ba82116e33fb28c507b8b0ad4e5eb654" } },
    { openai: { itemId: "fc_call_a1" } },
    { openai: { itemId: "fc_call_b2" } },
  ],
  google: [undefined, undefined, { google: { thoughtSignature: "EjQKMgEMOdbHZHVt" } }, undefined],
};

for (const [name, wire] of wires) {
  // Chat Completions of OpenAI have no reasoning.
  const hasReasoning = name !== "openai-chat";

  for (const chunkBytes of isLong ? [1, 7, 100_000] : [3, 100_000]) {
    test(`${name}: reasoning, text and two parallel calls are complete in chunks of ${chunkBytes} bytes`, async (t) => {
      const { model } = await modelOn(t, wire, [{ body: wire.stream(CALLING), chunkBytes }]);
      const { parts, done } = await collect(model);
      assert.equal(textIn(parts, "text"), TEXT);
      assert.equal(textIn(parts, "reasoning"), hasReasoning ? REASONING : "");
      assert.ok(parts.filter(({ type }) => type === "text").length > 1, "the text comes while it is written");
      assert.deepEqual(
        done.parts.map(({ opaque: _kept, ...part }) => part),
        [
          ...(hasReasoning ? [{ type: "reasoning", text: REASONING }] : []),
          { type: "text", text: TEXT },
          { type: "call", call: { id: "call_a1", name: "get_weather", input: { city: "Tromsø", days: 3 } } },
          { type: "call", call: { id: "call_b2", name: "list_cities", input: {} } },
        ],
      );
      assert.equal(done.reason, "calls");
      const { inputTokens, outputTokens } = done.usage;
      assert.deepEqual({ inputTokens, outputTokens }, { inputTokens: 100, outputTokens: 15 });
      if (name !== "ollama") assert.equal(done.usage.cachedTokens, 75);
      if (name !== "ollama" && name !== "anthropic") assert.equal(done.usage.reasoningTokens, 4);
    });
  }

  test(`${name}: the metadata of the provider is in the parts`, async (t) => {
    const { model } = await modelOn(t, wire, [{ body: wire.stream(CALLING) }]);
    const { done } = await collect(model);
    const none = done.parts.map(() => undefined);
    assert.deepEqual(
      done.parts.map(({ opaque }) => opaque),
      METADATA[name] ?? none,
    );
  });

  test(`${name}: the input of a call arrives in pieces for the tools that want it, except from Ollama`, async (t) => {
    const { model } = await modelOn(t, wire, [{ body: wire.stream(CALLING), chunkBytes: 7 }]);
    const { parts } = await collect(model, requestOf({ streamsInput: ["get_weather"] }));
    const pieces = parts.filter((part) => part.type === "input");
    if (name === "ollama") return assert.deepEqual(pieces, []);
    assert.deepEqual(
      new Set(pieces.map((part) => `${part.callId} ${part.name}`)),
      new Set(["call_a1 get_weather"]),
    );
    const json = pieces.map(({ text }) => text).join("");
    assert.deepEqual(JSON.parse(json), { city: "Tromsø", days: 3 });
    return undefined;
  });

  test(`${name}: the tool use is sent in the provider's form`, async (t) => {
    const uses = ["auto", "none", "required", { tool: "get_weather" }] as const;
    const { model, server } = await modelOn(
      t,
      wire,
      uses.map(() => ({ body: wire.stream({ text: "Hi." }) })),
    );
    for (const toolUse of uses) await collect(model, requestOf({ toolUse }));
    const sent = server.requests.map(({ body }) =>
      name === "ollama" ? body["tools"] !== undefined : (body["tool_choice"] ?? body["toolConfig"]),
    );
    assert.deepEqual(sent, TOOL_USES[name]);
  });

  test(`${name}: a request goes to the address with the key and the name of the model`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }], {
      headers: { "x-team": "blue" },
    });
    await collect(model);
    const [request] = server.requests;
    assert.equal(request?.path, wire.path);
    assert.equal(request?.headers["x-team"], "blue");
    const { authorization, "x-api-key": apiKey, "x-goog-api-key": googleKey } = request?.headers ?? {};
    assert.deepEqual([authorization, apiKey, googleKey].filter(Boolean), keysOf(name));
    if (name !== "google") assert.equal(request?.body["model"], wire.id.slice(wire.id.indexOf("/") + 1));
  });

  test(`${name}: tools and their schemas are sent unchanged`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
    const request = requestOf();
    await collect(model, request);
    const [weather, cities] = request.tools;
    const [first, second] = toolsIn(server.requests[0]?.body ?? {});
    assert.deepEqual(first, {
      name: "get_weather",
      description: "Weather for a city.",
      input: weather?.input,
    });
    assert.equal(second?.["name"], "list_cities");
    assert.deepEqual(second?.["input"], name === "google" ? undefined : cities?.input);
  });

  test(`${name}: a schema that the packages would change or reject is sent unchanged`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
    await collect(model, requestOf({ tools: [{ name: "odd", description: "Odd.", input: ODD }] }));
    assert.deepEqual(toolsIn(server.requests[0]?.body ?? {})[0]?.["input"], ODD);
  });

  test(`${name}: a call never has the id of an earlier call`, async (t) => {
    const again = { body: wire.stream({ calls: [{ id: "call_0", name: "list_cities", json: "{}" }] }) };
    const { model } = await modelOn(t, wire, [again, again]);
    const first = await collect(model);
    const messages: readonly Message[] = [userMessage("?"), { role: "assistant", parts: first.done.parts }];
    const second = await collect(model, requestOf({ messages }));
    const ids = [first, second]
      .flatMap(({ done }) => callsOf({ role: "assistant", parts: done.parts }))
      .map(({ id }) => id);
    assert.equal(ids[0], "call_0");
    assert.match(ids[1] ?? "", /^call_\w{32}$/);
  });

  test(`${name}: a request without tools does not mention tools`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
    await collect(model, requestOf({ tools: [] }));
    assert.doesNotMatch(server.requests[0]?.text ?? "tool", /tool|function/i);
  });

  test(`${name}: the maximum length and temperature are sent if they are set, and not otherwise`, async (t) => {
    const hi = { body: wire.stream({ text: "Hi." }) };
    const { model, server } = await modelOn(
      t,
      wire,
      [hi, hi],
      name === "openai" ? { reasoning: "none" } : {},
    );
    await collect(model, requestOf({ maxOutputTokens: 321, temperature: 0.25 }));
    await collect(model);
    const [first, second] = server.requests.map(({ text }) => text);
    assert.match(first ?? "", /"(?:max_\w+|maxOutputTokens|num_predict)":321/);
    // Reasoning models accept no temperature, and the package leaves it out.
    if (name !== "openai") assert.match(first ?? "", /"temperature":0\.25/);
    assert.doesNotMatch(second ?? "321", /321|temperature/);
  });
}

function keysOf(name: Name): readonly string[] {
  if (name === "anthropic" || name === "google") return [KEY];
  return WIRES[name].key === undefined ? [] : [`Bearer ${KEY}`];
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the tools of a request in its provider's format. */
function toolsIn(body: Fields): readonly Fields[] {
  const [first] = (body["tools"] ?? []) as readonly Fields[];
  const list = (first?.["functionDeclarations"] ?? body["tools"] ?? []) as readonly Fields[];
  return list.map((tool) => {
    const { name, description, ...rest } = (tool["function"] ?? tool) as Fields;
    return { name, description, input: rest["input_schema"] ?? rest["parameters"] };
  });
}

const REASONS: Readonly<Record<Name, Readonly<Partial<Record<StopReason, string>>>>> = {
  anthropic: { length: "max_tokens", refused: "refusal", stop: "end_turn" },
  openai: { length: "max_output_tokens", refused: "content_filter" },
  "openai-chat": { length: "length", refused: "content_filter", stop: "stop" },
  google: { length: "MAX_TOKENS", refused: "SAFETY", stop: "STOP" },
  ollama: { length: "length", stop: "stop" },
  compatible: { length: "length", refused: "content_filter", stop: "stop" },
};

for (const [name, reasons] of Object.entries(REASONS) as readonly (readonly [
  Name,
  Partial<Record<StopReason, string>>,
])[]) {
  for (const [reason, word] of Object.entries(reasons)) {
    test(`${name}: an answer that ends with ${word} has the reason ${reason}`, async (t) => {
      const wire: Wire = WIRES[name];
      const { model } = await modelOn(t, wire, [{ body: wire.stream({ text: "So far", reason: word }) }]);
      const { done } = await collect(model);
      assert.equal(done.reason, reason);
      assert.equal(done.parts[0]?.type, "text");
    });
  }
}

for (const name of ["anthropic", "openai", "openai-chat", "compatible"] as const) {
  const wire: Wire = WIRES[name];
  const calling = (json: string, reason?: string): string =>
    wire.stream({
      calls: [{ id: "c1", name: "get_weather", json }],
      ...(reason !== undefined && { reason }),
    });

  test(`${name}: broken arguments with only one meaning are repaired, and others are text with a reason`, async (t) => {
    const broken = '{"city": "Oslo", "days": oh no}';
    const { model } = await modelOn(t, wire, [
      { body: calling('{city: "Oslo",}') },
      { body: calling(broken) },
    ]);
    const [repaired] = (await collect(model)).done.parts;
    assert.deepEqual(repaired?.type === "call" && repaired.call.input, { city: "Oslo" });
    const [call] = (await collect(model)).done.parts;
    assert.ok(call?.type === "call");
    assert.equal(call.call.input, broken);
    assert.match(call.call.unreadable ?? "", /not JSON/);
  });

  test(`${name}: arguments of an answer that was cut off are never completed`, async (t) => {
    const { model } = await modelOn(t, wire, [{ body: calling('{"city": "Oslo"', REASONS[name].length) }]);
    const { parts, reason } = (await collect(model)).done;
    const [call] = parts;
    assert.equal(reason, "length");
    assert.ok(call?.type === "call");
    assert.equal(call.call.input, '{"city": "Oslo"');
    assert.match(call.call.unreadable ?? "", /cut off/);
  });
}

test("an output schema is sent, except with tools if the provider cannot combine them", async (t) => {
  const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
  const isBound = async (name: Name, changes: Partial<ModelRequest>): Promise<boolean> => {
    const wire: Wire = WIRES[name];
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: '{"sum":1}' }) }]);
    await collect(model, requestOf({ outputSchema, ...changes }));
    return server.requests[0]?.text.includes('"sum"') === true;
  };
  for (const [name] of wires) assert.equal(await isBound(name, { tools: [] }), true, name);
  for (const name of ["anthropic", "openai", "openai-chat"] as const)
    assert.equal(await isBound(name, {}), true, name);
  for (const name of ["google", "ollama", "compatible"] as const)
    assert.equal(await isBound(name, {}), false, name);
});

const CHAT = [
  undefined,
  "none",
  "required",
  { type: "function", function: { name: "get_weather" } },
] as const;

/** The tool use auto, none, required and of one tool in a request; Ollama has no form for it, and shows no tools instead of none. */
const TOOL_USES: Readonly<Record<Name, readonly unknown[]>> = {
  anthropic: [undefined, { type: "none" }, { type: "any" }, { type: "tool", name: "get_weather" }],
  openai: [undefined, "none", "required", { type: "function", name: "get_weather" }],
  "openai-chat": CHAT,
  compatible: CHAT,
  google: [undefined, "NONE", "ANY", { mode: "ANY", allowedFunctionNames: ["get_weather"] }].map((mode) =>
    mode === undefined ? mode : { functionCallingConfig: typeof mode === "string" ? { mode } : mode },
  ),
  ollama: [true, false, true, true],
};
