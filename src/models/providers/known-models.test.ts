import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf } from "../../agent/budget/ledger.ts";
import { openModel } from "../open-model.ts";
import { CLAUDE_MODELS, GEMINI_MODELS, GPT_MODELS, type KnownModel } from "./known-models.ts";

const TABLES = { anthropic: CLAUDE_MODELS, openai: GPT_MODELS, google: GEMINI_MODELS } as const;
const KEYS = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };

const ROWS: readonly (readonly [string, KnownModel])[] = Object.entries(TABLES).flatMap(
  ([provider, { models }]) => models.map((model) => [provider, model] as const),
);

test("a model that is documented opens with its window and its price, and so does a dated version of it", async () => {
  for (const [provider, { names, window, price }] of ROWS)
    for (const name of names)
      for (const version of ["", "-20260901", "-2026-09-01", "-preview"]) {
        const id = `${provider}/${name}${version}`;
        const model = await openModel(id, { environment: KEYS });
        assert.deepEqual([model.window, model.price], [window, price], id);
      }
});

test("no name is in two rows, and every price is above zero with output as the dearest", () => {
  const names = ROWS.flatMap(([, model]) => model.names);
  assert.deepEqual(names, [...new Set(names)]);
  for (const [, { price, names: named }] of ROWS)
    for (const { input, output, cached = input } of [price, price.long?.price ?? price])
      assert.ok(0 < cached && cached < input && input < output, named.join());
});

const UNKNOWN = [
  ["openai/gpt-4o-audio", {}],
  ["openai/ft:gpt-4o:acme", {}],
  ["anthropic/claude-opus-9", {}],
  ["compatible/gpt-5", { baseUrl: "http://127.0.0.1:9/v1" }],
  ["openai/gpt-5", { baseUrl: "http://127.0.0.1:9/v1" }],
  ["ollama/qwen3", {}],
] as const;

for (const [id, options] of UNKNOWN)
  test(`${id} at ${"baseUrl" in options ? "another address" : "its provider's address"} has no price`, async () => {
    assert.equal((await openModel(id, { environment: KEYS, ...options })).price, undefined);
  });

test("a price that is set overrides the documented one", async () => {
  const price = { input: 1, output: 2 };
  assert.equal((await openModel("openai/gpt-5", { environment: KEYS, price })).price, price);
});

test("a request above the documented limit costs more", async () => {
  const { price } = await openModel("google/gemini-2.5-pro", { environment: KEYS });
  assert.equal(costOf({ inputTokens: 200_000, outputTokens: 1000 }, price), 0.25 + 0.01);
  assert.equal(costOf({ inputTokens: 400_000, outputTokens: 1000 }, price), 1 + 0.015);
});
