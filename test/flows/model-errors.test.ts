import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { ErrorCode, ToolError } from "../../src/core/errors.ts";
import { failure, collect, isCancelled, KEY, modelOn, requestOf } from "../support/models/provider-model.ts";
import type { Served } from "../support/servers/provider-server.ts";
import type { Wire } from "../support/models/provider-wire.ts";
import { WIRES } from "../support/models/provider-streams.ts";

type Name = keyof typeof WIRES;
const NAMES = Object.keys(WIRES) as readonly Name[];

async function failsOn(
  t: TestContext,
  name: Name,
  answer: Served,
): Promise<{ readonly error: ToolError; readonly requests: number }> {
  const { model, server } = await modelOn(t, WIRES[name], [answer], { retry: { attempts: 1 } });
  const { error } = await failure(model);
  return { error, requests: server.requests.length };
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

for (const [what, body] of [
  ["a page", "<html>Log in</html>"],
  ["a line that is not JSON", "data: {not json\n\n"],
  [
    "a call without a name",
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{}}]}}]}\n\n',
  ],
] as const)
  test(`${what} in place of an answer has a hint to check the address`, async (t) => {
    const { error } = await failsOn(t, "compatible", { body });
    assert.match(error.hint ?? "", /^check that http:.* is the address of this API/);
  });

for (const name of NAMES) {
  const wire: Wire = WIRES[name];
  for (const { status, word, message, code } of REFUSALS[name]) {
    test(`${name}: ${status} ${word} "${message}" is ${code}, with the provider's message and a hint`, async (t) => {
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

  test(`${name}: an answer that ends early is UNAVAILABLE, never a message`, async (t) => {
    const whole = wire.stream({ text: "So far and no further. ".repeat(40) });
    const half = whole.slice(0, whole.length / 2);
    for (const then of ["end", "drop"] as const) {
      const { model, server } = await modelOn(t, wire, [{ body: half, then }]);
      const { error, parts } = await failure(model);
      assert.equal(error.code, "UNAVAILABLE", `${then}: ${error.message}`);
      if (then === "drop")
        assert.equal(error.message, `${wire.id}: the connection failed: other side closed`);
      assert.ok(parts.length > 0 && parts.every(({ type }) => type === "text"));
      assert.equal(server.requests.length, 1, "an answer that was partly shown is not requested again");
    }
  });

  test(`${name}: an answer that ends early after a complete call is not a message either`, async (t) => {
    const whole = wire.stream({ calls: [{ id: "c1", name: "list_cities", json: "{}" }] });
    const end =
      /"type":"message_delta"|"type":"response\.completed"|"finish_reason":"tool_calls"|"finishReason"|"done":true/.exec(
        whole,
      );
    const body = whole.slice(0, whole.lastIndexOf("\n", end?.index) + 1);
    const { error } = await failsOn(t, name, { body });
    assert.equal(error.code, "UNAVAILABLE");
    assert.match(error.message, /ended early|ended without/);
  });

  test(`${name}: an answer that ends before its first word is requested again`, async (t) => {
    const answer = { body: wire.stream({ text: "Here." }) };
    const { model, server } = await modelOn(t, wire, [{ body: "", then: "drop" }, { body: "" }, answer]);
    const { parts, done } = await collect(model);
    assert.deepEqual(
      parts.filter(({ type }) => type === "retry").map((part) => part.type === "retry" && part.attempt),
      [2, 3],
    );
    assert.equal(done.reason, "stop");
    assert.equal(server.requests.length, 3);
    assert.equal(
      new Set(server.requests.map(({ text }) => text)).size,
      1,
      "the request is the same each time",
    );
  });

  test(`${name}: a provider that sends nothing is UNAVAILABLE after the timeout`, async (t) => {
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

  for (const chunkBytes of [50, 100_000]) {
    test(`${name}: cancelling ends an answer in chunks of ${chunkBytes} bytes at once and closes the connection`, async (t) => {
      const whole = wire.stream({ text: "One two three four. ".repeat(3) });
      const body = whole.slice(0, -1);
      const { model, server } = await modelOn(t, wire, [{ body, chunkBytes, then: "hang" }]);
      const cancelling = new AbortController();
      const parts: string[] = [];
      await assert.rejects(async () => {
        for await (const part of model.stream(requestOf({ signal: cancelling.signal }))) {
          parts.push(part.type);
          cancelling.abort();
        }
      }, isCancelled);
      assert.deepEqual(parts, ["text"]);
      while ((await server.connections()) > 0) await new Promise(setImmediate);
    });
  }
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
  [
    "compatible",
    'data: {"error":{"message":"Overloaded","type":"server_error","code":null}}\n\n',
    "UNAVAILABLE",
  ],
  [
    "compatible",
    'data: {"error":{"message":"Overloaded","type":"invalid_request_error"}}\n\n',
    "MODEL_FAILED",
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

test("a stream in another format is MODEL_FAILED or UNAVAILABLE, never a message", async (t) => {
  for (const name of NAMES) {
    for (const body of ["data: {oops\n\n", "<html>a proxy's page</html>", "{oops\n"]) {
      const { error } = await failsOn(t, name, { body });
      assert.ok(["MODEL_FAILED", "UNAVAILABLE"].includes(error.code), `${name} ${body}: ${error.code}`);
    }
  }
});

test("an error page that is not JSON is reported by its status", async (t) => {
  for (const name of NAMES) {
    const { error } = await failsOn(t, name, { status: 502, body: "<html>Bad gateway</html>" });
    assert.equal(error.code, "UNAVAILABLE");
    assert.match(error.message, /502/);
  }
});

test("secrets in headers are masked when a provider repeats them", async (t) => {
  const wire: Wire = WIRES.compatible;
  const body = JSON.stringify(wire.refusal("no: Basic dXNlcjpwYXNz", "x"));
  const { model } = await modelOn(t, wire, [{ status: 400, body }], {
    headers: { "x-auth": "Basic dXNlcjpwYXNz" },
  });
  assert.match((await failure(model)).error.message, /no: \[secret\]/);
});

test("a key that Google rejects with 400 is UNAUTHORIZED", async (t) => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
  const error = { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details };
  const refused = await failsOn(t, "google", { status: 400, body: JSON.stringify([{ error }]) });
  assert.equal(refused.error.code, "UNAUTHORIZED");
  assert.match(refused.error.hint ?? "", /GEMINI_API_KEY/);
});
