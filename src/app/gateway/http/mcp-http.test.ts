import type { McpHttp } from "../types/public-types.ts";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { until } from "../../../../test/support/servers/mcp.ts";
import { engineOf, say } from "../../../../test/support/engines/sources.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createApprovals } from "../sessions/approvals.ts";
import { createGateway, type GatewayOptions } from "../sessions/gateway.ts";
import { createMcpHttp } from "./mcp-http.ts";

const ADDRESS = "http://127.0.0.1/mcp";

interface Opened {
  readonly engine: Engine;
  readonly mcp: McpHttp;
}

async function open(
  t: TestContext,
  tools: readonly Tool[] = [],
  options: Partial<GatewayOptions> = {},
): Promise<Opened> {
  const engine = engineOf(t, { tools });
  const gateway = createGateway({ engine, approvals: createApprovals(), ...options });
  const mcp = await createMcpHttp(gateway, [], () => undefined);
  t.after(async () => {
    await mcp.close();
    await gateway.close();
  });
  return { engine, mcp };
}

interface Sent {
  readonly session?: string;
  readonly method?: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(
  mcp: McpHttp,
  { session, method = "POST", body, signal, headers = {} }: Sent,
): Promise<Response> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return mcp.fetch(
    new Request(ADDRESS, {
      method,
      headers: {
        accept: "application/json, text/event-stream",
        ...(text !== undefined && { "content-type": "application/json", "content-length": `${text.length}` }),
        ...(session !== undefined && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
      ...(signal !== undefined && { signal }),
    }),
  );
}

/** Opens a session as a client without elicitation. */
async function greet(mcp: McpHttp): Promise<string> {
  const clientInfo = { name: "x", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const response = await send(mcp, { body: { jsonrpc: "2.0", id: 0, method: "initialize", params } });
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

/** Opens so many clients that the idle ones expire. */
async function crowd(mcp: McpHttp): Promise<void> {
  for (let count = 0; count < 256; count += 1) await greet(mcp);
}

async function isKnown(mcp: McpHttp, session: string): Promise<boolean> {
  const response = await send(mcp, { session, body: { jsonrpc: "2.0", id: 99, method: "ping" } });
  await response.text();
  return response.status !== 404;
}

function call(id: number, name: string): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {} } };
}

/** A tool that runs until `end` is called, or it is cancelled. */
function waiting(): { readonly tool: Tool; readonly end: (answer: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const tool = defineTool({
    name: "wait",
    description: "Waits.",
    run: (_, { signal }) =>
      Promise.race([
        promise,
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
      ]),
  });
  return { tool, end: resolve };
}

test("a client with a running call does not expire, however many come after it", async (t) => {
  const { tool, end } = waiting();
  const { mcp } = await open(t, [tool]);
  const session = await greet(mcp);
  const response = await send(mcp, { session, body: call(1, "wait") });
  await crowd(mcp);
  end("it was let run");
  assert.match(await response.text(), /it was let run/);
});

test("a stream that was refused, or has ended, does not keep its client", async (t) => {
  const { tool, end } = waiting();
  const { mcp } = await open(t, [tool]);
  const [refused, ended] = [await greet(mcp), await greet(mcp)];
  const leaving = new AbortController();
  const listening = await send(mcp, { session: refused, method: "GET", signal: leaving.signal });
  assert.equal((await send(mcp, { session: refused, method: "GET" })).status, 409);
  leaving.abort();
  await listening.body?.cancel();
  const back = await send(mcp, { session: refused, method: "GET", signal: leaving.signal });
  assert.equal(back.status, 200, "who has gone away may come back");

  const response = await send(mcp, { session: ended, body: call(1, "wait") });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const [, eventId = ""] = /^id: (.+)$/m.exec(new TextDecoder().decode(value)) ?? [];
  await reader?.cancel();
  end("done");
  const replayed = await send(mcp, { session: ended, method: "GET", headers: { "last-event-id": eventId } });
  assert.match(await replayed.text(), /done/);

  await crowd(mcp);
  assert.deepEqual([await isKnown(mcp, refused), await isKnown(mcp, ended)], [false, false]);
});

test("the stream of a cancelled call ends", async (t) => {
  const { mcp } = await open(t, [waiting().tool]);
  const session = await greet(mcp);
  const response = await send(mcp, { session, body: call(7, "wait") });
  assert.match(response.headers.get("content-type") ?? "", /event-stream/);
  const params = { requestId: 7 };
  await send(mcp, { session, body: { jsonrpc: "2.0", method: "notifications/cancelled", params } });
  assert.match(await response.text(), /"id":7/);
});

test("a subscription that is confirmed after its client has left is ended", async (t) => {
  const [granting, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let ended = 0;
  const upstream = {
    watch: () => () => undefined,
    close: () => undefined,
    async subscribe() {
      asked.resolve();
      await granting.promise;
      return () => (ended += 1);
    },
  };
  const { mcp } = await open(t, [], { upstream: upstream as never });
  const session = await greet(mcp);
  const params = { uri: "note://one" };
  const response = await send(mcp, {
    session,
    body: { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params },
  });
  await asked.promise;
  await send(mcp, { session, method: "DELETE" });
  granting.resolve();
  await response.text();
  await until(() => ended === 1, "the subscription has ended");
});

/** The protocol's own client, without a socket in between. */
async function connect(
  t: TestContext,
  mcp: McpHttp,
  name: string,
  { isModern = true, query = "" } = {},
): Promise<Client> {
  const client = new Client({ name, version: "1" }, isModern ? { versionNegotiation: { mode: "auto" } } : {});
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    mcp.fetch(new Request(url, init));
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(ADDRESS + query), { fetch }));
  return client;
}

for (const [query, problem] of [
  ["?mode=plam&tools=none", /mode must be one of yolo, edits, auto, ask, plan/],
  ["?mdoe=plan", /unknown parameter mdoe: did you mean mode\?/],
  ["?tool=ls", /unknown parameter tool: did you mean tools\?/],
] as const)
  test(`${query} is refused, with a handshake and without`, async (t) => {
    const { mcp } = await open(t, [say("hello")]);
    for (const isModern of [false, true])
      await assert.rejects(connect(t, mcp, "x", { isModern, query }), problem, `modern: ${isModern}`);
  });

test("a client without a handshake is notified of a change once, however many others there are", async (t) => {
  const { engine, mcp } = await open(t);
  const notified: string[] = [];
  const clients = await Promise.all(["a", "b", "c"].map((name) => connect(t, mcp, name)));
  for (const client of clients) {
    await client.listTools();
    client.setNotificationHandler("notifications/tools/list_changed", () => void notified.push("tools"));
    await client.listen({ toolsListChanged: true });
  }
  engine.add(say("one"));
  await until(() => notified.length >= clients.length, "every client is notified");
  engine.add(say("two"));
  await until(() => notified.length >= clients.length * 2, "every client is notified again");
  assert.equal(notified.length, clients.length * 2);
});

test("each subscribed client without a handshake is notified once of a changed resource", async (t) => {
  const watching = new Set<() => void>();
  const upstream = {
    watch: () => () => undefined,
    close: () => undefined,
    async subscribe(_: string, updated: () => void) {
      const one = (): void => updated();
      watching.add(one);
      return () => watching.delete(one);
    },
  };
  const { mcp } = await open(t, [], { upstream: upstream as never });
  const notified: string[] = [];
  for (const name of ["a", "b", "c"]) {
    const client = await connect(t, mcp, name);
    client.setNotificationHandler("notifications/resources/updated", () => void notified.push(name));
    await client.listen({ resourceSubscriptions: ["note://one"] });
  }
  for (const round of [1, 2]) {
    for (const notify of watching) notify();
    await until(() => notified.length >= 3 * round, "all are notified");
  }
  assert.deepEqual(notified.toSorted(), ["a", "a", "b", "b", "c", "c"]);
});

test("a request to listen that is refused subscribes to nothing", async (t) => {
  let watches = 0;
  const upstream = {
    watch: () => () => undefined,
    close: () => undefined,
    async subscribe() {
      watches += 1;
      return () => (watches -= 1);
    },
  };
  const { mcp } = await open(t, [], { upstream: upstream as never });
  const version = "2026-07-28";
  const params = {
    notifications: { resourceSubscriptions: ["note://one"], toolsListChanged: "yes" },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const method = "subscriptions/listen";
  const response = await send(mcp, {
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: { "mcp-method": method, "mcp-protocol-version": version },
  });
  assert.match(await response.text(), /Invalid params/);
  assert.equal(watches, 0);
});

for (const isModern of [false, true])
  test(`a call that a client ${isModern ? "without" : "with"} a handshake gives up is ended`, async (t) => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tool = defineTool({
      name: "wait",
      description: "Waits.",
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            ended.resolve();
            reject(signal.reason as Error);
          });
          started.resolve();
        }),
    });
    const { mcp } = await open(t, [tool]);
    const client = await connect(t, mcp, "x", { isModern });
    const giving = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, { signal: giving.signal });
    await started.promise;
    giving.abort();
    await assert.rejects(call);
    await ended.promise;
  });
