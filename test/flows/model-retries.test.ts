import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import type { ModelRequest } from "../../src/core/agent/model.ts";
import { openModel } from "../../src/models/open-model.ts";
import { failure, collect, isCancelled, KEY, modelOn, requestOf } from "../support/models/provider-model.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import type { Wire } from "../support/models/provider-wire.ts";

test("a server on this machine that does not run is not tried again, and the hint starts it", async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { readonly port: number };
  await new Promise((resolve) => probe.close(resolve));
  const model = await openModel("vllm/some/model", {
    environment: { VLLM_BASE_URL: `http://127.0.0.1:${port}/v1` },
    retry: { attempts: 2, firstWaitMs: 1 },
  });
  const { error, parts } = await failure(model);
  assert.deepEqual(
    parts.map(({ type }) => type),
    [],
  );
  assert.equal(error.code, "UNAVAILABLE");
  assert.match(error.message, new RegExp(`no server is running at http://127\\.0\\.0\\.1:${port}$`));
  assert.equal(error.hint, "start it with: vllm serve MODEL");
});

test("each retry is reported and waits twice as long, with jitter, until the last attempt", async (t) => {
  const busy = { status: 503, body: JSON.stringify(WIRES.anthropic.refusal("busy", "api_error")) };
  const { model, server } = await modelOn(t, WIRES.anthropic, [busy, busy, busy, busy], {
    retry: { attempts: 4, firstWaitMs: 8, random: () => 0.5 },
  });
  const { error, parts } = await failure(model);
  assert.equal(error.code, "UNAVAILABLE");
  assert.deepEqual(parts, [
    { type: "retry", attempt: 2, waitMs: 6, message: "anthropic/claude-sonnet-4-5: busy (503)" },
    { type: "retry", attempt: 3, waitMs: 12, message: "anthropic/claude-sonnet-4-5: busy (503)" },
    { type: "retry", attempt: 4, waitMs: 24, message: "anthropic/claude-sonnet-4-5: busy (503)" },
  ]);
  assert.equal(server.requests.length, 4);
});

test("a permanent failure is not retried", async (t) => {
  for (const [status, word] of [
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [404, "not_found_error"],
  ] as const) {
    const body = JSON.stringify(WIRES.anthropic.refusal("no", word));
    const { model, server } = await modelOn(t, WIRES.anthropic, [{ status, body }]);
    const { parts } = await failure(model);
    assert.deepEqual(parts, []);
    assert.equal(server.requests.length, 1);
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
    const [first] = (await collect(model)).parts;
    assert.equal(first?.type === "retry" && first.waitMs, waitMs);
  });
}

test("a provider that asks for a longer wait than allowed is not retried, and the error has the wait", async (t) => {
  const limited = { status: 429, headers: { "retry-after": "3600" }, body: "{}" };
  const { model, server } = await modelOn(t, WIRES.anthropic, [limited]);
  const { error, parts } = await failure(model);
  assert.deepEqual(
    [error.code, error.details?.["retryAfterMs"], parts.length],
    ["UNAVAILABLE", 3_600_000, 0],
  );
  assert.equal(server.requests.length, 1);
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

test("a request that is cancelled before it starts sends nothing", async (t) => {
  const { model, server } = await modelOn(t, WIRES.openai, []);
  const request: ModelRequest = requestOf({ signal: AbortSignal.abort() });
  assert.equal((await failure(model, request)).error.code, "CANCELLED");
  assert.equal(server.requests.length, 0);
});

test("a fetch that ignores cancellation does not delay a cancelled request", async () => {
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

for (const [name, wire] of Object.entries(WIRES) as readonly (readonly [string, Wire])[]) {
  test(`${name}: a consumer that stops iterating ends the request`, async (t) => {
    const whole = wire.stream({ text: "One two three four. ".repeat(40) });
    const body = whole.slice(0, whole.length / 2);
    for (const chunkBytes of [50, 100_000]) {
      const { model, server } = await modelOn(t, wire, [{ body, chunkBytes, then: "hang" }]);
      for await (const part of model.stream(requestOf())) {
        assert.equal(part.type, "text");
        break;
      }
      while ((await server.connections()) > 0) await new Promise(setImmediate);
    }
  });
}
