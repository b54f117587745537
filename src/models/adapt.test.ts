import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, requestOf, textIn } from "../../test/support/models/provider-model.ts";
import { serveProvider } from "../../test/support/servers/provider-server.ts";
import { WIRES } from "../../test/support/models/provider-streams.ts";
import { callsOf } from "../core/agent/message.ts";
import { adapt, type LanguageModel } from "./adapt.ts";

const CALL = { id: "call_a1", name: "get_weather", json: '{"city":"Oslo"}' };

const PACKAGES: Readonly<
  Record<string, readonly [keyof typeof WIRES, (baseURL: string) => LanguageModel, string]>
> = {
  anthropic: [
    "anthropic",
    (baseURL) => createAnthropic({ baseURL, apiKey: "k" })("claude-sonnet-4-5"),
    "anthropic",
  ],
  "openai responses": [
    "openai",
    (baseURL) => createOpenAI({ baseURL, apiKey: "k" }).responses("gpt-5"),
    "openai-responses",
  ],
  google: ["google", (baseURL) => createGoogle({ baseURL, apiKey: "k" })("gemini-3-pro"), "google"],
  "a compatible server": [
    "compatible",
    (baseURL) => createOpenAICompatible({ baseURL, name: "mine", includeUsage: true })("some-model"),
    "openai",
  ],
};

for (const [name, [wire, open, format]] of Object.entries(PACKAGES))
  test(`the AI SDK's model of ${name} streams text and calls, and is sent the tools' own schemas`, async (context) => {
    const body = WIRES[wire].stream({ text: "I look.", calls: [CALL] });
    const server = await serveProvider(context, [{ body }]);
    const model = adapt(open(server.url));
    assert.equal(model.format, format);
    const { parts, done } = await collect(model, requestOf());
    assert.equal(textIn(parts, "text"), "I look.");
    assert.deepEqual(
      callsOf({ role: "assistant", parts: done.parts }).map(({ name: called, input }) => [called, input]),
      [["get_weather", { city: "Oslo" }]],
    );
    const sent = server.requests[0]?.text ?? "";
    assert.match(sent, /City name/);
    assert.doesNotMatch(sent, /toolwright:schema/);
  });

test("a model of another version of the SDK is refused", () => {
  const old = { specificationVersion: "v2", provider: "p", modelId: "m", doStream: () => Promise.reject() };
  assert.throws(() => adapt(old), {
    code: "INVALID_INPUT",
    message: "the model p/m has specification v2",
  });
});
