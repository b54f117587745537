import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Tool } from "../core/tool.ts";
import { createEngine } from "../engine/engine.ts";
import { add } from "../../test/support/engines/engine.ts";
import { createWaiting, failing, long } from "../../test/support/engines/remote-tools.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";

const TOKEN = "the-token";

interface Served {
  readonly server: ToolServer;
  readonly socketPath: string;
  /** Sends a request and returns its status and body. */
  readonly send: (
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ) => Promise<readonly [status: number, body: string]>;
}

async function serve(
  t: TestContext,
  tools: readonly Tool[] = [add, failing, long],
  maxBytes = 10_000,
  token = TOKEN,
): Promise<Served> {
  const socketPath = join(temporaryFolder(t), "socket");
  const engine = createEngine({ tools });
  const server = await createToolServer({ engine, token, maxBytes });
  server.http.listen(socketPath);
  await once(server.http, "listening");
  t.after(async () => {
    server.http.closeAllConnections();
    await server.drain(0);
  });
  return {
    server,
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

const EVENTS = { authorization: `Bearer ${TOKEN}`, accept: "text/event-stream" };

test("without events the answer is one JSON document, also if the tool failed", async (t) => {
  const { send } = await serve(t);
  const [status, body] = await send("POST", "/execute", '{"tool":"add","params":{"a":1,"b":2}}');
  assert.equal(status, 200);
  assert.deepEqual((JSON.parse(body) as { data: unknown }).data, { sum: 3 });
  const [failed, reason] = await send("POST", "/execute", '{"tool":"fail","params":{}}');
  assert.equal(failed, 200);
  assert.match(reason, /the real reason/);
});

test("the tools are listed, and the server reports its health", async (t) => {
  const { send } = await serve(t);
  const { tools } = JSON.parse((await send("GET", "/tools"))[1]) as { readonly tools: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), ["add", "fail", "long"]);
  assert.deepEqual(await send("GET", "/health"), [200, '{"status":"ok","running":0}']);
});

test("requests share a connection, which the server never closes for a pause between them", async (t) => {
  const { server, socketPath } = await serve(t);
  let count = 0;
  server.http.on("connection", () => void (count += 1));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  for (let turn = 0; turn < 3; turn += 1) {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const [response] = (await once(
      request({ socketPath, path: "/health", headers, agent }).end(),
      "response",
    )) as [IncomingMessage];
    await once(response.resume(), "end");
  }
  assert.deepEqual([count, server.http.keepAliveTimeout], [1, 0]);
});

test("with events, long output is sent in pieces while it is written, and the result comes last", async (t) => {
  const { send } = await serve(t);
  const [status, body] = await send("POST", "/execute", '{"tool":"long","params":{}}', EVENTS);
  assert.equal(status, 200);
  const events = body.split("\n\n").filter(Boolean);
  const pieces = events.slice(0, -1).map((one) => {
    assert.match(one, /^event: artifact\ndata: /);
    return JSON.parse(one.slice(one.indexOf("{"))) as { readonly id: string; readonly text: string };
  });
  assert.equal(
    pieces.reduce((size, { text }) => size + text.length, 0),
    2_000_000,
  );
  assert.match(events.at(-1) ?? "", new RegExp(`^event: result\ndata: .*whole: ${pieces[0]?.id}`));
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

test("DELETE cancels a call by its id, which is still answered, and an id that runs cannot be used twice", async (t) => {
  const waiting = createWaiting();
  const { send } = await serve(t, [waiting.tool]);
  const job = '{"tool":"wait","params":{},"id":"mine"}';
  const running = send("POST", "/execute", job, EVENTS);
  await waiting.started;
  assert.equal((await send("POST", "/execute", job, EVENTS))[0], 409);
  assert.deepEqual(await send("DELETE", "/execute/mine"), [200, '{"cancelled":"mine"}']);
  assert.match((await running)[1], /^event: progress\ndata: "waiting"\n\nevent: result\ndata: .*"CANCELLED"/);
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

test("a server whose token is empty lets nobody in", async (t) => {
  const { send } = await serve(t, [add], undefined, "");
  for (const headers of [{}, { authorization: "" }, { authorization: "Bearer " }])
    assert.equal((await send("GET", "/health", undefined, headers))[0], 401);
});

test("a server that shuts down refuses new calls, and waits for running ones before it cancels them", async (t) => {
  const waiting = createWaiting();
  const { server, send } = await serve(t, [waiting.tool]);
  const running = send("POST", "/execute", '{"tool":"wait","params":{}}');
  await waiting.started;
  const drained = server.drain(10);
  assert.match((await running)[1], /"CANCELLED"/);
  await drained;
  await assert.rejects(send("GET", "/health"));
});
