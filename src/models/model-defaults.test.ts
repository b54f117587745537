import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf } from "../core/agent/message.ts";
import type { Model, ModelPart } from "../core/agent/model.ts";
import { collect } from "../../test/support/models/provider-model.ts";
import { withDialect } from "./model-defaults.ts";

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';

/** A model that answers with these parts. */
function modelOf(...texts: readonly ModelPart[]): Model {
  return {
    id: "test/model",
    format: "openai",
    window: 1000,
    price: undefined,
    async *stream(): AsyncIterable<ModelPart> {
      await Promise.resolve();
      yield* texts;
      const parts = texts.flatMap((part) =>
        part.type === "text" || part.type === "reasoning" ? [{ type: part.type, text: part.text }] : [],
      );
      yield { type: "done", parts, reason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

async function callsIn(model: Model): Promise<readonly unknown[]> {
  const { done } = await collect(model);
  return callsOf({ role: "assistant", parts: done.parts }).map(({ input }) => input);
}

const DOUBT: ModelPart = { type: "text", text: `I could write ${CALL} but no.</think>It rains.` };
const THOUGHT: ModelPart = { type: "reasoning", text: "Hm." };

const BEGIN_IN_REASONING = [
  "deepseek-r1:8b",
  "Qwen/QwQ-32B",
  "Qwen3-30B-A3B-Thinking-2507",
  "MiniMax-M2",
  "stepfun-ai/Step-3.7-Flash",
  "zai-org/GLM-4.7",
  "nvidia/NVIDIA-Nemotron-Nano-9B-v2",
  "nvidia/Nemotron-3-Nano-30B-A3B",
];

test("a call in reasoning that the prompt opened does not run: for models that begin so, or if the option is set", async () => {
  for (const dialect of ["hermes", "auto"] as const) {
    for (const name of BEGIN_IN_REASONING)
      assert.deepEqual(
        await callsIn(withDialect(modelOf(DOUBT), name, { leaksByDefault: true }, { dialect })),
        [],
        name,
      );
    const options = { dialect, startsInReasoning: true };
    assert.deepEqual(
      await callsIn(withDialect(modelOf(DOUBT), "other", { leaksByDefault: true }, options)),
      [],
    );
  }
});

test("a call is read if the server sends the reasoning apart, or the model is another one", async () => {
  const text: ModelPart = { type: "text", text: `${CALL} Now I wait.` };
  const options = { dialect: "hermes" } as const;
  assert.deepEqual(
    await callsIn(withDialect(modelOf(THOUGHT, text), "deepseek-r1", { leaksByDefault: true }, options)),
    [{ city: "Oslo" }],
  );
  for (const name of [
    "qwen3:8b",
    "deepseek-v3.1",
    "GLM-4.5-Air",
    "kimi-k2-thinking",
    "llama-3.1-nemotron-nano-8b-v1",
  ])
    assert.deepEqual(
      await callsIn(withDialect(modelOf(text), name, { leaksByDefault: true }, options)),
      [{ city: "Oslo" }],
      name,
    );
});

test("damaged calls are repaired, unless the option says that they are not", async () => {
  const damaged = '<tool_call>{"name":"get_weather","arguments":{"city":"the "old" town"}}</tool_call>';
  const text: ModelPart = { type: "text", text: damaged };
  for (const dialect of ["hermes", "auto"] as const) {
    const open = (repair: boolean): ReturnType<typeof withDialect> =>
      withDialect(modelOf(text), "other", { leaksByDefault: true }, { dialect, repair });
    assert.deepEqual(await callsIn(open(true)), [{ city: 'the "old" town' }]);
    assert.match(String((await callsIn(open(false)))[0]), /the \\+"old/);
  }
});
