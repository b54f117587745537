import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { plainJson } from "../../../test/support/generators/plain-json.ts";
import { ToolError } from "../../core/errors.ts";
import type { AssistantPart } from "../../core/agent/message.ts";
import { createAnswer, parseArguments } from "./answer.ts";
import type { SdkPart } from "./sdk.ts";

type Unified = Extract<SdkPart, { readonly type: "finish" }>["finishReason"]["unified"];

function finish(unified: Unified, raw: string | undefined = unified): SdkPart {
  const usage = {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  };
  return { type: "finish", finishReason: { unified, raw }, usage };
}

function collected(...parts: readonly SdkPart[]): readonly AssistantPart[] {
  const answer = createAnswer();
  for (const part of parts) answer.add(part);
  const done = answer.done();
  assert.ok(done.type === "done");
  assert.deepEqual(
    done.usage,
    { inputTokens: 0, outputTokens: 0 },
    "tokens that a provider does not count are 0",
  );
  return done.parts;
}

test("a text that starts before the reasoning but is still empty comes after it", () => {
  const parts = collected(
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "" },
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "hm" },
    { type: "text-delta", id: "t", delta: "so" },
    { type: "text-end", id: "t" },
    { type: "reasoning-end", id: "r" },
    finish("stop"),
  );
  assert.deepEqual(parts, [
    { type: "reasoning", text: "hm" },
    { type: "text", text: "so" },
  ]);
});

test("an id that is used again starts another part", () => {
  const parts = collected(
    ...["a", "b"].flatMap((delta): readonly SdkPart[] => [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta },
      { type: "text-end", id: "0" },
    ]),
    finish("stop"),
  );
  assert.deepEqual(parts, [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
});

test("empty reasoning with provider metadata is part of the answer, and empty text is not", () => {
  const metadata = { anthropic: { redactedData: "x" } };
  const parts = collected(
    { type: "reasoning-start", id: "r", providerMetadata: metadata },
    { type: "reasoning-end", id: "r" },
    { type: "reasoning-start", id: "q" },
    { type: "reasoning-end", id: "q" },
    { type: "text-start", id: "t", providerMetadata: { openai: { itemId: "m" } } },
    { type: "text-end", id: "t" },
    finish("stop"),
  );
  assert.deepEqual(parts, [{ type: "reasoning", text: "", opaque: metadata }]);
});

test("the metadata of a part is merged from all of its events", () => {
  const [part] = collected(
    { type: "reasoning-start", id: "r", providerMetadata: { a: { one: 1 }, b: { x: 1 } } },
    { type: "reasoning-delta", id: "r", delta: "hm", providerMetadata: { a: { two: 2 } } },
    { type: "reasoning-end", id: "r", providerMetadata: { a: { one: 3 } } },
    finish("stop"),
  );
  assert.deepEqual(part?.opaque, { a: { one: 3, two: 2 }, b: { x: 1 } });
});

test("a call that the provider runs itself is left out", () => {
  const parts = collected(
    { type: "tool-call", toolCallId: "s", toolName: "web_search", input: "{}", providerExecuted: true },
    finish("stop"),
  );
  assert.deepEqual(parts, []);
});

test("two calls with one id get different ids", () => {
  const call: SdkPart = { type: "tool-call", toolCallId: "0", toolName: "ls", input: "" };
  const ids = collected(call, call, finish("tool-calls")).map((part) =>
    part.type === "call" ? part.call.id : "",
  );
  assert.equal(ids[0], "0");
  assert.equal(new Set(ids).size, 2);
});

for (const end of [
  [],
  [finish("interrupted", undefined)],
  [finish("error", undefined)],
  [{ ...finish("other"), finishReason: { unified: "other", raw: undefined } } as SdkPart],
]) {
  test(`an answer that ends with ${JSON.stringify(end)} is UNAVAILABLE`, () => {
    const answer = createAnswer();
    answer.add({ type: "text-delta", id: "t", delta: "so far" });
    for (const part of end) answer.add(part);
    assert.throws(
      () => answer.done(),
      (error) => error instanceof ToolError && error.code === "UNAVAILABLE",
    );
  });
}

test("arguments that are JSON are parsed, whether the answer was cut off or not", () => {
  fc.assert(
    fc.property(plainJson(), fc.boolean(), (value, isCut) => {
      assert.deepEqual(parseArguments(JSON.stringify(value), isCut), {
        input: JSON.parse(JSON.stringify(value)) as unknown,
      });
    }),
  );
});

test("incomplete arguments are never completed if the answer was cut off", () => {
  const whole = '{"path":"a","list":[1,{"b":true}],"text":"x"}';
  for (let length = 1; length < whole.length; length += 1) {
    const { input, unreadable } = parseArguments(whole.slice(0, length), true);
    assert.equal(input, whole.slice(0, length));
    assert.match(unreadable ?? "", /cut off/);
  }
});

test("missing arguments are an empty object", () => {
  for (const text of ["", " ", "\n"]) assert.deepEqual(parseArguments(text, false), { input: {} });
});
