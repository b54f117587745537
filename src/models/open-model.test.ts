import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError, type ErrorCode } from "../core/errors.ts";
import { collect, modelOn, requestOf } from "../../test/support/models/provider-model.ts";
import type { Wire } from "../../test/support/models/provider-wire.ts";
import { WIRES } from "../../test/support/models/provider-streams.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import { openModel } from "./open-model.ts";

const none: ModelOptions = { environment: {} };

async function refused(id: string, options: ModelOptions = none): Promise<ToolError> {
  try {
    await openModel(id, options);
  } catch (error) {
    assert.ok(error instanceof ToolError);
    return error;
  }
  return assert.fail(`${id} was opened`);
}

const KEYS = {
  "anthropic/claude-sonnet-4-5": "ANTHROPIC_API_KEY",
  "openai/gpt-5": "OPENAI_API_KEY",
  "openai-chat/gpt-4o": "OPENAI_API_KEY",
  "google/gemini-2.5-pro": "GEMINI_API_KEY",
};

for (const [id, variable] of Object.entries(KEYS)) {
  test(`${id} without its key is MISSING_CREDENTIALS that names ${variable}`, async () => {
    for (const environment of [{}, { [variable]: "" }, { [variable]: undefined }]) {
      const error = await refused(id, { environment });
      assert.equal(error.code, "MISSING_CREDENTIALS");
      assert.match(error.message, new RegExp(variable));
      assert.match(error.hint ?? "", new RegExp(variable));
    }
    assert.equal((await refused(id, { environment: {}, apiKey: "" })).code, "MISSING_CREDENTIALS");
    assert.equal((await openModel(id, { environment: { [variable]: "k" } })).id, id);
    assert.equal((await openModel(id, { environment: {}, apiKey: "k" })).id, id);
  });
}

test("an unknown dialect is INVALID_INPUT when the model is opened", async () => {
  const error = await refused("ollama/x", { environment: {}, dialect: "klingon" as "hermes" });
  assert.equal(error.code, "INVALID_INPUT");
  assert.match(error.hint ?? "", /dialects\.md/);
  const near = await refused("ollama/x", { environment: {}, dialect: "hermess" as "hermes" });
  assert.equal(near.hint, "did you mean hermes?");
});

test("any of Google's variables is accepted", async () => {
  for (const variable of ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"])
    assert.ok(await openModel("google/gemini-2.5-pro", { environment: { [variable]: "k" } }));
});

test("the environment of the process is never read", async (t) => {
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  process.env["OPENAI_API_KEY"] = "not-ours";
  process.env["OPENAI_BASE_URL"] = "http://127.0.0.1:9/not-ours";
  assert.equal((await refused("openai/gpt-5")).code, "MISSING_CREDENTIALS");
  const requests: string[] = [];
  const model = await openModel("openai/gpt-5", {
    environment: { OPENAI_API_KEY: "ours" },
    retry: { attempts: 1 },
    fetch: (url) => {
      requests.push(url instanceof Request ? url.url : url.toString());
      return Promise.resolve(new Response("{}", { status: 400 }));
    },
  });
  await assert.rejects(collect(model), ToolError);
  assert.deepEqual(requests, ["https://api.openai.com/v1/responses"]);
});

const WRONG: readonly (readonly [string, ErrorCode, RegExp])[] = [
  ["gpt-5", "INVALID_INPUT", /provider\/name.*anthropic.*scripted/],
  ["", "INVALID_INPUT", /provider\/name/],
  ["/gpt-5", "INVALID_INPUT", /provider\/name/],
  ["openai/", "INVALID_INPUT", /provider\/name/],
  ["antropic/claude", "INVALID_INPUT", /^did you mean anthropic\?$/],
  ["OpenAI/gpt-5", "INVALID_INPUT", /^did you mean openai or openai-chat\?$/],
  ["lama/x", "INVALID_INPUT", /ollama/],
  ["mistral/x", "INVALID_INPUT", /^providers are anthropic, /],
  ["constructor/x", "INVALID_INPUT", /compatible/],
  ["compatible/x", "INVALID_INPUT", /OPENAI_COMPATIBLE_BASE_URL/],
];

for (const [id, code, hint] of WRONG) {
  test(`${JSON.stringify(id)} is ${code}, and the hint says what to write`, async () => {
    const error = await refused(id);
    assert.equal(error.code, code);
    assert.match(error.hint ?? "", hint);
  });
}

test("an invalid address, or one with a password, is INVALID_INPUT", async () => {
  for (const baseUrl of ["http://[", "http://me:pass-word@host/v1"]) {
    const error = await refused("vllm/x", { environment: {}, baseUrl });
    assert.equal(error.code, "INVALID_INPUT");
    assert.doesNotMatch(JSON.stringify([error.message, error.hint]), /pass-word/);
  }
});

/** Returns the address that a model sends its request to. */
async function addressOf(id: string, options: Partial<ModelOptions>): Promise<string> {
  const requests: string[] = [];
  const model = await openModel(id, {
    environment: {},
    apiKey: "k",
    retry: { attempts: 1 },
    fetch: (url) => {
      requests.push(url instanceof Request ? url.url : url.toString());
      return Promise.resolve(new Response("{}", { status: 400 }));
    },
    ...options,
  });
  await assert.rejects(collect(model, requestOf()), ToolError);
  return requests[0] ?? "";
}

const ADDRESSES: readonly (readonly [string, Partial<ModelOptions>, string])[] = [
  ["anthropic/claude-opus-4-5", {}, "https://api.anthropic.com/v1/messages"],
  [
    "anthropic/claude-opus-4-5",
    { environment: { ANTHROPIC_BASE_URL: "https://proxy.example" } },
    "https://proxy.example/v1/messages",
  ],
  ["openai-chat/gpt-4o", {}, "https://api.openai.com/v1/chat/completions"],
  [
    "google/gemini-2.5-pro",
    {},
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
  ],
  ["ollama/qwen3:8b", {}, "http://localhost:11434/api/chat"],
  ["ollama/qwen3:8b", { environment: { OLLAMA_HOST: "10.0.0.5:11434" } }, "http://10.0.0.5:11434/api/chat"],
  ["ollama/qwen3:8b", { baseUrl: "http://box:1/api/" }, "http://box:1/api/chat"],
  ["vllm/Qwen/Qwen3", {}, "http://localhost:8000/v1/chat/completions"],
  ["lmstudio/qwen", {}, "http://localhost:1234/v1/chat/completions"],
  ["llamacpp/any", {}, "http://localhost:8080/v1/chat/completions"],
  [
    "compatible/x",
    { baseUrl: "https://host.example/api/v3/" },
    "https://host.example/api/v3/chat/completions",
  ],
  ["compatible/x", { baseUrl: "https://host.example" }, "https://host.example/v1/chat/completions"],
];

for (const [id, options, address] of ADDRESSES) {
  test(`${id} with ${JSON.stringify(options)} sends requests to ${address}`, async () => {
    assert.equal(await addressOf(id, options), address);
  });
}

test("a request that cannot connect has a hint to the proxy of the environment, used by Node or not", async () => {
  const hintWith = async (
    environment: Readonly<Record<string, string>>,
    baseUrl = "http://127.0.0.2:2/v1",
  ): Promise<string | undefined> => {
    const model = await openModel("vllm/x", { environment, baseUrl, retry: { attempts: 1 } });
    const error = await collect(model, requestOf()).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, "UNAVAILABLE");
    return error.hint;
  };
  const hint = "check that http://127.0.0.2:2/v1 can be reached";
  assert.equal(await hintWith({ HTTPS_PROXY: "http://ada:secret@proxy.test" }), hint);
  assert.equal(
    await hintWith({ HTTP_PROXY: "http://ada:secret@proxy.test" }),
    `${hint}; the proxy in HTTP_PROXY is used only if NODE_USE_ENV_PROXY is 1, by Node 22.21 or later`,
  );
  assert.equal(
    await hintWith({ http_proxy: "http://ada:secret@proxy.test", NODE_USE_ENV_PROXY: "1" }),
    `${hint}, through the proxy in http_proxy unless NO_PROXY has its host`,
  );
  assert.equal(
    await hintWith({ HTTP_PROXY: "http://proxy.test" }, "http://127.0.0.1:2/v1"),
    "start it with: vllm serve MODEL",
  );
});

const WINDOWS: readonly (readonly [string, number])[] = [
  ["anthropic/claude-sonnet-4-5", 200_000],
  ["openai/gpt-4.1-mini", 1_047_576],
  ["openai/gpt-5", 400_000],
  ["openai-chat/o3", 200_000],
  ["openai/gpt-4o", 128_000],
  ["google/gemini-2.5-pro", 1_048_576],
  ["ollama/qwen3:8b", 8192],
  ["vllm/gpt-5-imitation", 128_000],
];

for (const [id, window] of WINDOWS) {
  test(`${id} has a window of ${window}, unless another is set`, async () => {
    assert.equal((await openModel(id, { environment: {}, apiKey: "k" })).window, window);
    assert.equal((await openModel(id, { environment: {}, apiKey: "k", window: 7 })).window, 7);
  });
}

test("a model has the price that is set, and none otherwise", async () => {
  const price = { input: 3, output: 15 };
  assert.equal((await openModel("ollama/x", none)).price, undefined);
  assert.equal((await openModel("ollama/x", { ...none, price })).price, price);
});

test("a request to Ollama has the size of the window, since its own default is smaller", async (t) => {
  const wire: Wire = WIRES.ollama;
  const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }], {
    window: 32_768,
  });
  await collect(model);
  assert.deepEqual(server.requests[0]?.body["options"], { num_ctx: 32_768 });
  assert.equal("think" in (server.requests[0]?.body ?? {}), false, "the model decides about thinking");
});

test("the reasoning effort is sent if it is set", async (t) => {
  for (const [name, pattern] of [
    ["anthropic", /"thinking":|"effort":/],
    ["openai", /"reasoning":\{"effort":"high"/],
    ["google", /"thinkingConfig":/],
    ["ollama", /"think":true/],
    ["compatible", /"reasoning_effort":"high"/],
  ] as const) {
    const wire: Wire = WIRES[name];
    const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: "Hi." }) }], {
      reasoning: "high",
    });
    await collect(model);
    assert.match(server.requests[0]?.text ?? "", pattern);
  }
});

test("Ollama is asked not to think if the reasoning effort is none", async (t) => {
  const wire: Wire = WIRES.ollama;
  const answer = { body: wire.stream({ text: "Hi." }) };
  const { model, server } = await modelOn(t, wire, [answer], { reasoning: "none" });
  await collect(model);
  assert.equal(server.requests[0]?.body["think"], false);
});

const LEAK = 'Look:\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

for (const name of Object.keys(WIRES) as readonly (keyof typeof WIRES)[]) {
  const isLocal = name === "ollama" || name === "compatible";
  test(`${name}: a call that leaks into the text is ${isLocal ? "" : "not "}found by default`, async (t) => {
    const wire: Wire = WIRES[name];
    const kinds = async (options: Partial<ModelOptions>): Promise<readonly string[]> => {
      const { model } = await modelOn(
        t,
        wire,
        [{ body: wire.stream({ text: LEAK }), chunkBytes: 9 }],
        options,
      );
      return (await collect(model)).done.parts.map(({ type }) => type);
    };
    assert.deepEqual(await kinds({}), isLocal ? ["text", "call"] : ["text"]);
    assert.deepEqual(await kinds({ leaks: true }), ["text", "call"]);
    assert.deepEqual(await kinds({ leaks: false }), ["text"]);
    assert.deepEqual(await kinds({ dialect: "auto" }), ["text", "call"]);
  });
}

test("a model with a dialect gets its tools in the instructions and is offered none", async (t) => {
  const wire: Wire = WIRES.compatible;
  const { model, server } = await modelOn(t, wire, [{ body: wire.stream({ text: LEAK }) }], {
    dialect: "hermes",
  });
  const { done } = await collect(model);
  assert.equal(done.reason, "calls");
  const { tools, messages } = (server.requests[0]?.body ?? {}) as {
    readonly tools?: unknown;
    readonly messages?: readonly { readonly content: string }[];
  };
  assert.equal(tools, undefined);
  assert.match(messages?.[0]?.content ?? "", /Be brief\.\n\n# Tools[^]*"name":"get_weather"/);
});

test("a model without an environment, or without an id, is refused with what to pass", async () => {
  for (const options of [undefined, {}])
    await assert.rejects(openModel("openai/gpt-5", options as never), {
      code: "INVALID_INPUT",
      hint: /^pass \{ environment: process\.env \}/,
    });
  await assert.rejects(openModel("nope/x", undefined as never), { message: 'unknown provider "nope"' });
  await assert.rejects(openModel(undefined as never, none), { message: "invalid model id undefined" });
});
