import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { TestContext } from "node:test";
import { test } from "node:test";
import type { ErrorCode } from "../../src/core/errors.ts";
import { ToolError } from "../../src/core/errors.ts";
import type { Model, ModelPart, ModelRequest } from "../../src/core/model.ts";
import { openModel } from "../../src/models/open-model.ts";
import { hear, KEY, modelOn, requestOf } from "../support/provider-model.ts";
import type { Served } from "../support/provider-server.ts";
import type { Wire } from "../support/provider-streams.ts";
import { WIRES } from "../support/provider-streams.ts";

type Name = keyof typeof WIRES;
const NAMES = Object.keys(WIRES) as readonly Name[];

/** What a model throws, and what it gave before. */
async function failure(
  model: Model,
  request = requestOf(),
): Promise<{ readonly error: ToolError; readonly given: readonly ModelPart[] }> {
  const given: ModelPart[] = [];
  try {
    for await (const part of model.stream(request)) given.push(part);
  } catch (error) {
    assert.ok(error instanceof ToolError, String(error));
    return { error, given };
  }
  return assert.fail("the model answered");
}

async function failsOn(
  t: TestContext,
  name: Name,
  answer: Served,
): Promise<{ readonly error: ToolError; readonly asked: number }> {
  const { model, server } = await modelOn(t, WIRES[name], [answer], { retry: { attempts: 1 } });
  const { error } = await failure(model);
  return { error, asked: server.asked.length };
}

interface Refused {
  readonly status: number;
  readonly word: string;
  readonly message: string;
  readonly code: ErrorCode;
}

const REFUSALS: Readonly<Record<Name, readonly Refused[]>> = {
  anthropic: [
    { status: 401, word: "authentication_error", message: "invalid x-api-key", code: "UNAUTHORIZED" },
    { status: 403, word: "permission_error", message: "not for you", code: "UNAUTHORIZED" },
    { status: 413, word: "request_too_large", message: "over 32 MB", code: "WINDOW_FULL" },
    {
      status: 400,
      word: "invalid_request_error",
      message: "prompt is too long: 208310 tokens > 200000 maximum",
      code: "WINDOW_FULL",
    },
    { status: 400, word: "invalid_request_error", message: "max_tokens: too many", code: "MODEL_FAILED" },
    { status: 404, word: "not_found_error", message: "model: claude-none", code: "MODEL_FAILED" },
    { status: 429, word: "rate_limit_error", message: "too many tokens", code: "UNAVAILABLE" },
    { status: 500, word: "api_error", message: "Internal server error", code: "UNAVAILABLE" },
    { status: 529, word: "overloaded_error", message: "Overloaded", code: "UNAVAILABLE" },
  ],
  openai: [
    { status: 401, word: "invalid_api_key", message: "Incorrect API key", code: "UNAUTHORIZED" },
    { status: 400, word: "context_length_exceeded", message: "too long", code: "WINDOW_FULL" },
    { status: 429, word: "rate_limit_exceeded", message: "slow down", code: "UNAVAILABLE" },
    { status: 429, word: "insufficient_quota", message: "pay first", code: "MODEL_FAILED" },
    { status: 503, word: "server_error", message: "busy", code: "UNAVAILABLE" },
  ],
  "openai-chat": [
    { status: 401, word: "invalid_api_key", message: "Incorrect API key", code: "UNAUTHORIZED" },
    { status: 400, word: "context_length_exceeded", message: "too long", code: "WINDOW_FULL" },
    { status: 404, word: "model_not_found", message: "no such model", code: "MODEL_FAILED" },
  ],
  google: [
    {
      status: 400,
      word: "INVALID_ARGUMENT",
      message: "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
      code: "WINDOW_FULL",
    },
    { status: 400, word: "INVALID_ARGUMENT", message: "no such field", code: "MODEL_FAILED" },
    { status: 403, word: "PERMISSION_DENIED", message: "not for you", code: "UNAUTHORIZED" },
    { status: 429, word: "RESOURCE_EXHAUSTED", message: "quota", code: "UNAVAILABLE" },
    { status: 503, word: "UNAVAILABLE", message: "overloaded", code: "UNAVAILABLE" },
  ],
  ollama: [
    { status: 404, word: "", message: 'model "qwen3:8b" not found', code: "MODEL_FAILED" },
    { status: 400, word: "", message: "qwen3:8b does not support tools", code: "MODEL_FAILED" },
    { status: 500, word: "", message: "model requires more system memory", code: "UNAVAILABLE" },
  ],
  compatible: [
    { status: 401, word: "unauthorized", message: "no key", code: "UNAUTHORIZED" },
    { status: 400, word: "exceed_context_size_error", message: "too large", code: "WINDOW_FULL" },
    {
      status: 400,
      word: "BadRequestError",
      message: "This model's maximum context length is 4096 tokens.",
      code: "WINDOW_FULL",
    },
    { status: 502, word: "", message: "bad gateway", code: "UNAVAILABLE" },
  ],
};

for (const name of NAMES) {
  const wire: Wire = WIRES[name];
  for (const { status, word, message, code } of REFUSALS[name]) {
    test(`${name}: ${status} ${word} "${message}" is ${code}, with the provider's words and what to do`, async (t) => {
      const body = JSON.stringify(wire.refusal(`${message} ${KEY}`, word));
      const { error } = await failsOn(t, name, { status, body });
      assert.equal(error.code, code);
      assert.ok(error.message.includes(message) && error.message.startsWith(wire.id), error.message);
      assert.notEqual(error.hint ?? "", "");
      assert.equal(error.details?.["status"], status);
      if (wire.key !== undefined)
        assert.doesNotMatch(JSON.stringify([error, error.message, error.hint]), new RegExp(KEY));
    });
  }

  test(`${name}: an answer that breaks off is UNAVAILABLE, never a message`, async (t) => {
    const whole = wire.stream({ text: "So far and no further. ".repeat(40) });
    const half = whole.slice(0, whole.length / 2);
    for (const then of ["end", "drop"] as const) {
      const { model, server } = await modelOn(t, wire, [{ body: half, then }]);
      const { error, given } = await failure(model);
      assert.equal(error.code, "UNAVAILABLE", `${then}: ${error.message}`);
      assert.ok(given.length > 0 && given.every(({ type }) => type === "text"));
      assert.equal(server.asked.length, 1, "what was shown is not asked for again");
    }
  });

  test(`${name}: an answer that breaks off before its first word is asked for again`, async (t) => {
    const answer = { body: wire.stream({ text: "Here." }) };
    const { model, server } = await modelOn(t, wire, [{ body: "", then: "drop" }, { body: "" }, answer]);
    const { parts, done } = await hear(model);
    assert.deepEqual(
      parts.filter(({ type }) => type === "retry").map((part) => part.type === "retry" && part.attempt),
      [2, 3],
    );
    assert.equal(done.reason, "stop");
    assert.equal(server.asked.length, 3);
    assert.equal(new Set(server.asked.map(({ text }) => text)).size, 1, "the request is the same each time");
  });

  test(`${name}: a provider that falls silent is given up after the time it has`, async (t) => {
    const { model } = await modelOn(
      t,
      wire,
      [{ body: wire.stream({ text: "Long silence" }).slice(0, 100), then: "hang" }],
      {
        timeoutMs: 50,
        retry: { attempts: 1 },
      },
    );
    const { error } = await failure(model);
    assert.equal(error.code, "UNAVAILABLE");
    assert.match(error.message, /nothing for 0\.05 s/);
  });

  test(`${name}: cancelling ends the answer at once and closes the connection`, async (t) => {
    const whole = wire.stream({ text: "One two three four. ".repeat(40) });
    const { model, server } = await modelOn(t, wire, [
      { body: whole.slice(0, whole.length / 2), then: "hang" },
    ]);
    const cancelling = new AbortController();
    const given: string[] = [];
    await assert.rejects(async () => {
      for await (const part of model.stream(requestOf({ signal: cancelling.signal }))) {
        given.push(part.type);
        cancelling.abort();
      }
    }, isCancelled);
    assert.deepEqual(given, ["text"]);
    while ((await server.connections()) > 0) await new Promise(setImmediate);
  });
}

function isCancelled(error: unknown): boolean {
  return error instanceof ToolError && error.code === "CANCELLED";
}

const ERROR_EVENTS: readonly (readonly [Name, string, ErrorCode])[] = [
  [
    "anthropic",
    'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}\n\n',
    "UNAVAILABLE",
  ],
  [
    "openai",
    'event: error\ndata: {"type":"error","code":"server_error","message":"Overloaded","param":null,"sequence_number":1}\n\n',
    "UNAVAILABLE",
  ],
  [
    "openai",
    'data: {"type":"response.failed","sequence_number":1,"response":{"id":"r","status":"failed","error":{"code":"context_length_exceeded","message":"Overloaded"},"usage":null}}\n\n',
    "WINDOW_FULL",
  ],
  [
    "openai-chat",
    'data: {"error":{"message":"Overloaded","type":"server_error","code":null}}\n\n',
    "UNAVAILABLE",
  ],
  ["google", 'data: {"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}\n\n', "UNAVAILABLE"],
  ["ollama", '{"error":"Overloaded"}\n', "UNAVAILABLE"],
  [
    "compatible",
    'data: {"error":{"message":"Overloaded","type":"InternalServerError","code":500}}\n\n',
    "UNAVAILABLE",
  ],
];

for (const [name, event, code] of ERROR_EVENTS) {
  test(`${name}: ${event.replaceAll(/\s+/g, " ").slice(0, 90)}… in the middle of an answer is ${code}`, async (t) => {
    const wire: Wire = WIRES[name];
    const whole = wire.stream({ text: "So far and no further. ".repeat(40) });
    const gap = name === "ollama" ? "\n" : "\n\n";
    const start = whole.slice(0, whole.lastIndexOf(gap, whole.length / 2) + gap.length);
    const { error } = await failsOn(t, name, { body: start + event });
    assert.equal(error.code, code);
    assert.match(error.message, /Overloaded/);
  });
}

test("what is no stream of the provider's is MODEL_FAILED or UNAVAILABLE, and never a message", async (t) => {
  for (const name of NAMES) {
    for (const body of ["data: {oops\n\n", "<html>a proxy's page</html>", "{oops\n"]) {
      const { error } = await failsOn(t, name, { body });
      assert.ok(["MODEL_FAILED", "UNAVAILABLE"].includes(error.code), `${name} ${body}: ${error.code}`);
    }
  }
});

test("an error page that is no JSON is told by its status", async (t) => {
  for (const name of NAMES) {
    const { error } = await failsOn(t, name, { status: 502, body: "<html>Bad gateway</html>" });
    assert.equal(error.code, "UNAVAILABLE");
    assert.match(error.message, /502/);
  }
});

test("a key that Google calls invalid with 400 is UNAUTHORIZED", async (t) => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
  const error = { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details };
  const refused = await failsOn(t, "google", { status: 400, body: JSON.stringify([{ error }]) });
  assert.equal(refused.error.code, "UNAUTHORIZED");
  assert.match(refused.error.hint ?? "", /GEMINI_API_KEY/);
});

test("nobody at the address is UNAVAILABLE, tried again, and names the address", async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { readonly port: number };
  await new Promise((resolve) => probe.close(resolve));
  const model = await openModel("vllm/some/model", {
    environment: { VLLM_BASE_URL: `http://127.0.0.1:${port}/v1` },
    retry: { attempts: 2, firstWaitMs: 1 },
  });
  const { error, given } = await failure(model);
  assert.deepEqual(
    given.map(({ type }) => type),
    ["retry"],
  );
  assert.equal(error.code, "UNAVAILABLE");
  assert.match(error.hint ?? "", new RegExp(String(port)));
});

test("each retry is told, waits twice as long with chance, and gives up after the last", async (t) => {
  const busy = { status: 503, body: JSON.stringify(WIRES.anthropic.refusal("busy", "api_error")) };
  const { model, server } = await modelOn(t, WIRES.anthropic, [busy, busy, busy, busy], {
    retry: { attempts: 4, firstWaitMs: 8, random: () => 0.5 },
  });
  const { error, given } = await failure(model);
  assert.equal(error.code, "UNAVAILABLE");
  assert.deepEqual(given, [
    { type: "retry", attempt: 2, waitMs: 6, message: "anthropic/claude-sonnet-4-5: busy (503)" },
    { type: "retry", attempt: 3, waitMs: 12, message: "anthropic/claude-sonnet-4-5: busy (503)" },
    { type: "retry", attempt: 4, waitMs: 24, message: "anthropic/claude-sonnet-4-5: busy (503)" },
  ]);
  assert.equal(server.asked.length, 4);
});

test("what cannot pass is not tried again", async (t) => {
  for (const [status, word] of [
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [404, "not_found_error"],
  ] as const) {
    const body = JSON.stringify(WIRES.anthropic.refusal("no", word));
    const { model, server } = await modelOn(t, WIRES.anthropic, [{ status, body }]);
    const { given } = await failure(model);
    assert.deepEqual(given, []);
    assert.equal(server.asked.length, 1);
  }
});

for (const [header, value, waitMs] of [
  ["retry-after", "0", 0],
  ["retry-after-ms", "7", 7],
  ["retry-after", new Date(0).toUTCString(), 0],
] as const) {
  test(`${header}: ${value} is honoured`, async (t) => {
    const wire: Wire = WIRES.openai;
    const limited = {
      status: 429,
      headers: { [header]: value },
      body: JSON.stringify(wire.refusal("slow", "rate_limit_exceeded")),
    };
    const { model } = await modelOn(t, wire, [limited, { body: wire.stream({ text: "Hi." }) }]);
    const [first] = (await hear(model)).parts;
    assert.equal(first?.type === "retry" && first.waitMs, waitMs);
  });
}

test("a provider that wants a longer wait than is allowed is not asked again, and the wait is told", async (t) => {
  const limited = { status: 429, headers: { "retry-after": "3600" }, body: "{}" };
  const { model, server } = await modelOn(t, WIRES.anthropic, [limited]);
  const { error, given } = await failure(model);
  assert.deepEqual(
    [error.code, error.details?.["retryAfterMs"], given.length],
    ["UNAVAILABLE", 3_600_000, 0],
  );
  assert.equal(server.asked.length, 1);
});

test("cancelling ends the wait for a retry at once", async (t) => {
  const { model } = await modelOn(t, WIRES.anthropic, [{ status: 503, body: "{}" }], {
    retry: { firstWaitMs: 3_600_000, maxWaitMs: 3_600_000 },
  });
  const cancelling = new AbortController();
  await assert.rejects(async () => {
    for await (const part of model.stream(requestOf({ signal: cancelling.signal }))) {
      assert.equal(part.type, "retry");
      setImmediate(() => cancelling.abort());
    }
  }, isCancelled);
});

test("a request that is cancelled before it is made asks nobody", async (t) => {
  const { model, server } = await modelOn(t, WIRES.openai, []);
  const request: ModelRequest = requestOf({ signal: AbortSignal.abort() });
  assert.equal((await failure(model, request)).error.code, "CANCELLED");
  assert.equal(server.asked.length, 0);
});

test("a fetch that is deaf to its signal is left alone when the request is cancelled", async () => {
  const cancelling = new AbortController();
  const model = await openModel("openai/gpt-5", {
    environment: {},
    apiKey: KEY,
    fetch: () => {
      setImmediate(() => cancelling.abort());
      return new Promise(() => undefined);
    },
  });
  assert.equal((await failure(model, requestOf({ signal: cancelling.signal }))).error.code, "CANCELLED");
});

test("who stops listening ends the request", async (t) => {
  const wire: Wire = WIRES.compatible;
  const whole = wire.stream({ text: "One two three four. ".repeat(40) });
  const { model, server } = await modelOn(t, wire, [
    { body: whole.slice(0, whole.length / 2), then: "hang" },
  ]);
  for await (const part of model.stream(requestOf())) {
    assert.equal(part.type, "text");
    break;
  }
  while ((await server.connections()) > 0) await new Promise(setImmediate);
});
