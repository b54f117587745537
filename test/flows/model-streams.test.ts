import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../src/core/agent/message.ts";
import { callsOf } from "../../src/core/agent/message.ts";
import type { ModelRequest, StopReason } from "../../src/core/agent/model.ts";
import { hear, KEY, modelOn, requestOf, said, textIn } from "../support/provider-model.ts";
import type { Streamed, Wire } from "../support/provider-wire.ts";
import { WIRES } from "../support/provider-streams.ts";

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

/** With what the package for OpenAI leaves out, replaces, or throws at. */
const ODD = {
  type: "object",
  properties: {
    any: { propertyNames: false },
    named: { type: "object", propertyNames: { pattern: "^(?=a)" }, additionalProperties: { type: "string" } },
    one: { allOf: [{ $ref: "#/$defs/one" }] },
  },
  $defs: { one: { type: "string", pattern: "^(?!x)" } },
};

/** What each provider keeps with its pieces and wants back. */
const KEPT: Readonly<Partial<Record<Name, readonly unknown[]>>> = {
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
  // OpenAI's chat completions give no reasoning.
  const hasReasoning = name !== "openai-chat";

  for (const chunkBytes of [1, 7, 100_000]) {
    test(`${name}: reasoning, text and two parallel calls arrive whole in pieces of ${chunkBytes} bytes`, async (t) => {
      const { model } = await modelOn(t, wire, [{ body: wire.stream(CALLING), chunkBytes }]);
      const { parts, done } = await hear(model);
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

  test(`${name}: what the provider keeps with its pieces is kept with ours`, async (t) => {
    const { model } = await modelOn(t, wire, [{ body: wire.stream(CALLING) }]);
    const { done } = await hear(model);
    const none = done.parts.map(() => undefined);
    assert.deepEqual(
      done.parts.map(({ opaque }) => opaque),
      KEPT[name] ?? none,
    );
  });

  test(`${name}: the model is asked at its address with its key and by its name`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }], {
      headers: { "x-team": "blue" },
    });
    await hear(model);
    const [asked] = server.asked;
    assert.equal(asked?.path, wire.path);
    assert.equal(asked?.headers["x-team"], "blue");
    const { authorization, "x-api-key": apiKey, "x-goog-api-key": googleKey } = asked?.headers ?? {};
    assert.deepEqual([authorization, apiKey, googleKey].filter(Boolean), keysOf(name));
    if (name !== "google") assert.equal(asked?.body["model"], wire.id.slice(wire.id.indexOf("/") + 1));
  });

  test(`${name}: the tools reach the wire as they are, and their schemas unharmed`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
    const request = requestOf();
    await hear(model, request);
    const [weather, cities] = request.tools;
    const [first, second] = toolsIn(server.asked[0]?.body ?? {});
    assert.deepEqual(first, {
      name: "get_weather",
      description: "Weather for a city.",
      input: weather?.input,
    });
    assert.equal(second?.["name"], "list_cities");
    assert.deepEqual(second?.["input"], name === "google" ? undefined : cities?.input);
  });

  test(`${name}: a schema that the packages would change or refuse reaches the wire as it is`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
    await hear(model, requestOf({ tools: [{ name: "odd", description: "Odd.", input: ODD }] }));
    assert.deepEqual(toolsIn(server.asked[0]?.body ?? {})[0]?.["input"], ODD);
  });

  test(`${name}: an id that a call before has is not given to another`, async (t) => {
    const again = { body: wire.stream({ calls: [{ id: "call_0", name: "list_cities", json: "{}" }] }) };
    const { model } = await modelOn(t, wire, [again, again]);
    const first = await hear(model);
    const messages: readonly Message[] = [said("?"), { role: "assistant", parts: first.done.parts }];
    const second = await hear(model, requestOf({ messages }));
    const ids = [first, second]
      .flatMap(({ done }) => callsOf({ role: "assistant", parts: done.parts }))
      .map(({ id }) => id);
    assert.equal(ids[0], "call_0");
    assert.match(ids[1] ?? "", /^call_\w{32}$/);
  });

  test(`${name}: without tools the request has no word of tools`, async (t) => {
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }]);
    await hear(model, requestOf({ tools: [] }));
    assert.doesNotMatch(server.asked[0]?.text ?? "tool", /tool|function/i);
  });

  test(`${name}: a length and a temperature that are asked for are on the wire, and no others are`, async (t) => {
    const hi = { body: wire.stream({ text: "Hi." }) };
    const { model, server } = await modelOn(
      t,
      wire,
      [hi, hi],
      name === "openai" ? { reasoning: "none" } : {},
    );
    await hear(model, requestOf({ maxOutputTokens: 321, temperature: 0.25 }));
    await hear(model);
    const [first, second] = server.asked.map(({ text }) => text);
    assert.match(first ?? "", /"(?:max_\w+|maxOutputTokens|num_predict)":321/);
    // Models that reason take no temperature, and the package leaves it out for them.
    if (name !== "openai") assert.match(first ?? "", /"temperature":0\.25/);
    assert.doesNotMatch(second ?? "321", /321|temperature/);
  });
}

function keysOf(name: Name): readonly string[] {
  if (name === "anthropic" || name === "google") return [KEY];
  return WIRES[name].key === undefined ? [] : [`Bearer ${KEY}`];
}

type Fields = Readonly<Record<string, unknown>>;

/** The tools of a request, in whichever form its provider has them. */
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
      const { done } = await hear(model);
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

  test(`${name}: arguments that are broken in one way only are mended, others are kept as text with the reason`, async (t) => {
    const broken = '{"city": "Oslo", "days": oh no}';
    const { model } = await modelOn(t, wire, [
      { body: calling('{city: "Oslo",}') },
      { body: calling(broken) },
    ]);
    const [mended] = (await hear(model)).done.parts;
    assert.deepEqual(mended?.type === "call" && mended.call.input, { city: "Oslo" });
    const [call] = (await hear(model)).done.parts;
    assert.ok(call?.type === "call");
    assert.equal(call.call.input, broken);
    assert.match(call.call.unreadable ?? "", /not JSON/);
  });

  test(`${name}: arguments of an answer that was cut off are never completed`, async (t) => {
    const { model } = await modelOn(t, wire, [{ body: calling('{"city": "Oslo"', REASONS[name].length) }]);
    const { parts, reason } = (await hear(model)).done;
    const [call] = parts;
    assert.equal(reason, "length");
    assert.ok(call?.type === "call");
    assert.equal(call.call.input, '{"city": "Oslo"');
    assert.match(call.call.unreadable ?? "", /cut off/);
  });
}

test("an answer that shall be JSON is bound to its schema on the wire, and not where tools forbid it", async (t) => {
  const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
  const isBound = async (name: Name, changes: Partial<ModelRequest>): Promise<boolean> => {
    const wire: Wire = WIRES[name];
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: '{"sum":1}' }) }]);
    await hear(model, requestOf({ outputSchema, ...changes }));
    return server.asked[0]?.text.includes('"sum"') === true;
  };
  for (const [name] of wires) assert.equal(await isBound(name, { tools: [] }), true, name);
  for (const name of ["anthropic", "openai", "openai-chat"] as const)
    assert.equal(await isBound(name, {}), true, name);
  for (const name of ["google", "ollama", "compatible"] as const)
    assert.equal(await isBound(name, {}), false, name);
});
