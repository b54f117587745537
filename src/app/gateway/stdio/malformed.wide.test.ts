import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { add } from "../../../../test/support/engines/engine.ts";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { runs } from "../../../../test/support/property-runs.ts";
import { HANDSHAKE, WRONG_PARAMETERS } from "../../../../test/support/servers/wrong-parameters.ts";
import { until } from "../../../../test/support/servers/mcp.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { serveMcp } from "../serve-engine.ts";

interface Answer {
  readonly id: unknown;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Serves a client of which every line that it is sent is recorded; the first request is the handshake. */
function open(t: TestContext, handshake: unknown = HANDSHAKE) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveMcp(engineOf(t, { tools: [add] }), { stdin, stdout, log: () => undefined });
  const answers: Answer[] = [];
  let text = "";
  stdout.setEncoding("utf8").on("data", (piece: string) => {
    const lines = (text + piece).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Answer & { readonly method?: string };
      if (message.method === undefined) answers.push(message);
    }
  });
  const send = (message: unknown): void => void stdin.write(`${JSON.stringify(message)}\n`);
  send({ jsonrpc: "2.0", id: "handshake", method: "initialize", params: handshake });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    send,
    answers,
    /** Sends a message and resolves with the next answer to its id, or to null. */
    async ask(message: JsonObject): Promise<Answer> {
      const before = answers.length;
      send(message);
      const { id } = message;
      const find = (): Answer | undefined =>
        answers.slice(before).find((one) => one.id === (id ?? null) || one.id === null);
      await until(() => find() !== undefined, `an answer to ${JSON.stringify(message)}`);
      return find() as Answer;
    },
    /** Returns how long the end took. */
    async close(): Promise<number> {
      const startedAt = performance.now();
      await served.close();
      return performance.now() - startedAt;
    },
  };
}

const ASK = { jsonrpc: "2.0", id: "a", method: "ping" };
test("wrong parameters are refused as such, in a sentence, and delay no end", async (t) => {
  const client = open(t);
  for (const request of WRONG_PARAMETERS) {
    const { error } = await client.ask({ ...ASK, ...request });
    assert.equal(error?.code, -32_602, JSON.stringify([request, error]));
    assert.doesNotMatch(error.message, /[[{\n]/, JSON.stringify(request));
  }
  assert.ok((await client.close()) < 5000);
});

test("a request with members that JSON-RPC does not know is answered", async (t) => {
  const client = open(t);
  for (const more of [{ extra: 1 }, { result: {} }, { error: null, meta: [] }])
    assert.deepEqual((await client.ask({ ...ASK, ...more })).result, {}, JSON.stringify(more));
  assert.ok((await client.close()) < 5000);
});

test("what is no request is refused, with its id if it has one that can be used", async (t) => {
  const client = open(t);
  const cases: readonly (readonly [JsonObject, unknown])[] = [
    [{ jsonrpc: "1.0", id: "a", method: "ping" }, "a"],
    [{ jsonrpc: "2.0", id: "a" }, "a"],
    [{ jsonrpc: "2.0", id: "a", method: 5 }, "a"],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, 1.5],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, null],
    [{ jsonrpc: "2.0", id: {}, method: "ping" }, null],
    [{ jsonrpc: "2.0" }, null],
  ];
  for (const [message, id] of cases) {
    const answer = await client.ask(message);
    assert.deepEqual([answer.id, answer.error?.code], [id, -32_600], JSON.stringify(message));
  }
  const cancel = { method: "notifications/cancelled", params: { requestId: "x" } };
  assert.equal((await client.ask({ ...ASK, ...cancel })).error?.code, -32_601);
  assert.ok((await client.close()) < 5000);
});

test("a handshake with wrong parameters is refused once, and the next one is served", async (t) => {
  for (const handshake of [null, {}, [], { protocolVersion: 5 }]) {
    const client = open(t, handshake);
    const { answers } = client;
    await until(() => answers.some(({ id }) => id === "handshake"), JSON.stringify(handshake));
    assert.equal(answers[0]?.error?.code, -32_602);
    const { result } = await client.ask({ ...ASK, method: "initialize", params: HANDSHAKE });
    assert.equal(result?.["protocolVersion"], HANDSHAKE.protocolVersion);
    assert.ok((await client.ask({ ...ASK, id: "b", method: "tools/list" })).result);
    assert.equal(answers.filter(({ id }) => id === "handshake").length, 1);
    assert.ok((await client.close()) < 5000);
  }
});

const METHODS = ["ping", "initialize", "tools/list", "tools/call", "resources/read", "prompts/get", "nope"];
const anyValue = fc.oneof(
  fc.constantFrom<Json>(null, true, -1, 1.5, 1e308, "", "\u0000", "add", [], {}, [[]], { _meta: [] }, "2.0"),
  fc.jsonValue() as fc.Arbitrary<Json>,
);
const oddRequest = fc
  .record({
    method: fc.constantFrom(...METHODS),
    name: fc.constantFrom("add", "nope"),
    change: fc.constantFrom("jsonrpc", "method", "params", "name", "arguments", "_meta", "extra"),
    value: anyValue,
    isRemoved: fc.boolean(),
  })
  .map(({ method, name, change, value, isRemoved }): JsonObject => {
    const params: Record<string, Json> = { name, arguments: { a: 1, b: 2 } };
    const request: Record<string, Json> = { jsonrpc: "2.0", method, params };
    const part = change in params || change === "_meta" ? params : request;
    if (isRemoved) delete part[change];
    else part[change] = value;
    return request;
  });

test("every malformed request gets exactly one answer, and none delays the end", async (t) => {
  const { send, answers, ...client } = open(t);
  const requests = fc.sample(oddRequest, runs(100));
  for (const [index, request] of requests.entries()) send({ ...request, id: `r${index}` });
  const counts = (): readonly number[] =>
    requests.map((_, index) => answers.filter(({ id }) => id === `r${index}`).length);
  await until(() => counts().every((count) => count > 0), "every request is answered").catch(() => undefined);
  const wrong = requests.flatMap((request, index) => (counts()[index] === 1 ? [] : [request]));
  assert.deepEqual(wrong, []);
  assert.ok((await client.close()) < 5000);
});
