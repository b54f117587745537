import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SessionProxyKey } from "../core/session/session-proxy.ts";
import { ArtifactsKey } from "../core/store/artifacts.ts";
import type { Tool } from "../core/tool.ts";
import { createEngine } from "../engine/engine.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { object } from "../schema/define/schema.ts";
import { add, codeOf, textOf } from "../../test/support/engine.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createToolClient, type ToolClient } from "./client.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";
import type { RemoteJob } from "./wire.ts";
import { defined } from "../util/json/defined.ts";

const TOKEN = "the-token";

/** Runs until it is cancelled; `started` and `cancelled` say how far it is. */
function createWaiting(): {
  readonly tool: Tool;
  readonly started: Promise<void>;
  readonly cancelled: Promise<void>;
} {
  const started = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "wait",
    description: "Waits until it is cancelled.",
    input: object({}),
    risk: "low",
    effects: "none",
    limits: { graceMs: 5000 },
    async run(_, { signal, emit }) {
      emit("waiting");
      started.resolve();
      await once(signal, "abort");
      cancelled.resolve();
      signal.throwIfAborted();
    },
  });
  return { tool, started: started.promise, cancelled: cancelled.promise };
}

const failing = defineTool({
  name: "fail",
  description: "Fails.",
  input: object({}),
  risk: "low",
  effects: "none",
  run() {
    throw new Error("the real reason");
  },
});

const long = defineTool({
  name: "long",
  description: "Writes an artifact.",
  input: object({}),
  risk: "low",
  effects: "none",
  async run(_, context) {
    const writer = context.get(ArtifactsKey).create();
    for (let at = 0; at < 20; at += 1) await writer.write("x".repeat(100_000));
    await writer.close();
    return `whole: ${writer.id}`;
  },
});

interface Served {
  readonly server: ToolServer;
  readonly client: ToolClient;
  readonly socketPath: string;
  /** Sends a request and returns its status and body. */
  readonly send: (
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ) => Promise<readonly [number, string]>;
}

async function serve(
  t: TestContext,
  tools: readonly Tool[] = [add, failing, long],
  maxBytes = 10_000,
): Promise<Served> {
  const socketPath = join(temporaryFolder(t), "socket");
  const engine = createEngine({ tools });
  const server = await createToolServer({ engine, token: TOKEN, maxBytes });
  server.http.listen(socketPath);
  await once(server.http, "listening");
  const client = createToolClient({ socketPath }, TOKEN);
  t.after(async () => {
    client.close();
    server.http.closeAllConnections();
    await server.drain(0);
  });
  return {
    server,
    client,
    socketPath,
    async send(method, path, body, headers = { authorization: `Bearer ${TOKEN}` }) {
      const sent = request({ socketPath, method, path, headers }).end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += String(piece);
      return [response.statusCode ?? 0, text];
    },
  };
}

test("a call is answered with the result of the tool", async (t) => {
  const { client } = await serve(t);
  const result = await client.execute({ tool: "add", params: { a: 1, b: 2 } });
  assert.equal(result.ok, true);
  assert.deepEqual(result.ok && result.data, { sum: 3 });
});

test("a proxy that a job brings along is there for its tool, with the certificate in a file that goes with the server", async (t) => {
  let caFile = "";
  const tool = defineTool({
    name: "look",
    description: "Looks for the proxy.",
    risk: "low",
    async run(_, context) {
      const proxy = await context.find(SessionProxyKey)?.();
      caFile = proxy?.caFile ?? "";
      return proxy === undefined ? "none" : `${proxy.url} ${readFileSync(caFile, "utf8")}`;
    },
  });
  const { client, server } = await serve(t, [tool]);
  const look = async (proxy?: RemoteJob["proxy"]) =>
    textOf(await client.execute({ tool: "look", params: {}, ...defined({ proxy }) }));
  const proxy = { url: "http://127.0.0.1:1", certificate: "PEM", spki: "AAAA" };
  assert.equal(await look(proxy), "http://127.0.0.1:1 PEM");
  assert.equal(await look(), "none");
  assert.equal(await look(proxy), "http://127.0.0.1:1 PEM");
  client.close();
  await server.drain(0);
  assert.ok(!existsSync(caFile));
});

test("without events the answer is one JSON document", async (t) => {
  const { send } = await serve(t);
  const [status, body] = await send("POST", "/execute", '{"tool":"add","params":{"a":1,"b":2}}');
  assert.equal(status, 200);
  assert.deepEqual((JSON.parse(body) as { data: unknown }).data, { sum: 3 });
});

test("a failure of the tool is an answer, not an error of the connection", async (t) => {
  const { client } = await serve(t);
  const result = await client.execute({ tool: "fail", params: {} });
  assert.match(result.ok ? "" : result.error.message, /the real reason/);
});

test("the tools are listed, and the server reports its health", async (t) => {
  const { client } = await serve(t);
  assert.deepEqual((await client.tools()).map(({ name }) => name).toSorted(), ["add", "fail", "long"]);
  await client.health();
});

test("requests share a connection, which the server never closes for a pause between them", async (t) => {
  const { server, client } = await serve(t);
  let count = 0;
  server.http.on("connection", () => void (count += 1));
  for (let turn = 0; turn < 3; turn += 1) await client.health();
  assert.equal(codeOf(await client.execute({ tool: "add", params: { a: 1, b: 2 } })), "ok");
  assert.deepEqual([count, server.http.keepAliveTimeout], [1, 0]);
});

test("long output is sent in pieces while it is written", async (t) => {
  const { client } = await serve(t);
  const ids = new Set<string>();
  let size = 0;
  const result = await client.execute(
    { tool: "long", params: {} },
    {
      onArtifact({ id, text }) {
        ids.add(id);
        size += text.length;
      },
    },
  );
  assert.equal(size, 2_000_000);
  assert.deepEqual(result.content, [{ type: "text", text: `whole: ${[...ids].join()}` }]);
});

test("an aborted signal cancels the call, which is still answered", async (t) => {
  const waiting = createWaiting();
  const { client } = await serve(t, [waiting.tool]);
  const controller = new AbortController();
  const progress: unknown[] = [];
  const running = client.execute(
    { tool: "wait", params: {} },
    { signal: controller.signal, onProgress: (one) => void progress.push(one) },
  );
  await waiting.started;
  controller.abort();
  const result = await running;
  await waiting.cancelled;
  assert.equal(result.ok ? "ok" : result.error.code, "CANCELLED");
  assert.deepEqual(progress, ["waiting"]);
});

test("a call that is cancelled as soon as it is sent is cancelled on the server too", async (t) => {
  const waiting = createWaiting();
  const { client } = await serve(t, [waiting.tool], 10_000_000);
  const controller = new AbortController();
  // The server needs several turns of its event loop to read so much.
  const running = client.execute({ tool: "wait", params: {}, session: "x".repeat(5_000_000) }, controller);
  controller.abort();
  const result = await running;
  assert.equal(result.ok ? "ok" : result.error.code, "CANCELLED");
});

test("a lost connection cancels the call", async (t) => {
  const waiting = createWaiting();
  const { socketPath } = await serve(t, [waiting.tool]);
  const sent = request({
    socketPath,
    method: "POST",
    path: "/execute",
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  sent.on("error", () => undefined).end('{"tool":"wait","params":{}}');
  await waiting.started;
  sent.destroy();
  await waiting.cancelled;
});

test("DELETE cancels a call by its id, and an id that runs cannot be used twice", async (t) => {
  const waiting = createWaiting();
  const { client, send } = await serve(t, [waiting.tool]);
  const running = client.execute({ tool: "wait", params: {}, id: "mine" });
  await waiting.started;
  const [conflict] = await send("POST", "/execute", '{"tool":"wait","params":{},"id":"mine"}');
  assert.equal(conflict, 409);
  assert.deepEqual(await send("DELETE", "/execute/mine"), [200, '{"cancelled":"mine"}']);
  assert.equal((await running).ok, false);
  assert.equal((await send("DELETE", "/execute/mine"))[0], 404);
});

for (const [what, expected, method, path, body, headers] of [
  ["no token", 401, "GET", "/health", undefined, {}],
  ["a wrong token", 401, "POST", "/execute", '{"tool":"add"}', { authorization: "Bearer x" }],
  ["another path", 404, "GET", "/other", undefined, undefined],
  ["another method", 405, "PUT", "/execute", "{}", undefined],
  ["a body that is not JSON", 400, "POST", "/execute", "tool=add", undefined],
  ["a body without params", 400, "POST", "/execute", '{"tool":"add"}', undefined],
  ["a body that is too long", 413, "POST", "/execute", `"${"x".repeat(20_000)}"`, undefined],
  ["a body of many pieces", 413, "POST", "/execute", `"${"x".repeat(3_000_000)}"`, undefined],
] as const)
  test(`${what} is refused with ${expected} and a reason`, async (t) => {
    const { send } = await serve(t);
    const [status, text] = await send(method, path, body, headers);
    assert.equal(status, expected);
    assert.match(text, /^\{"error":"[^"]{10,}/);
  });

test("a server that shuts down refuses new calls and waits for running ones", async (t) => {
  const waiting = createWaiting();
  const { server, client, send } = await serve(t, [waiting.tool]);
  const running = client.execute({ tool: "wait", params: {} });
  await waiting.started;
  const kept = send("GET", "/health");
  await kept;
  const drained = server.drain(10);
  const result = await running;
  assert.equal(result.ok ? "ok" : result.error.code, "CANCELLED");
  client.close();
  await drained;
  await assert.rejects(client.execute({ tool: "wait", params: {} }), { code: "UNAVAILABLE" });
});

test("a server that ends during a call is reported as a crash", async (t) => {
  const waiting = createWaiting();
  const { server, client } = await serve(t, [waiting.tool]);
  const running = client.execute({ tool: "wait", params: {} });
  await waiting.started;
  // A call that waits has been accepted by the next turn of the event loop.
  await nextTurn();
  server.http.closeAllConnections();
  await assert.rejects(running, { code: "TOOL_CRASHED" });
});
