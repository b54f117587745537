import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { StreamEnd } from "../../../sources/mcp/types/client-keys.ts";
import { createApprovals } from "../sessions/approvals.ts";
import { createGateway } from "../sessions/gateway.ts";
import { createMcpHttp } from "./mcp-http.ts";
import { createEventLog } from "./session-client.ts";

function message(id: number, size = 10): JSONRPCMessage {
  return { jsonrpc: "2.0", id, result: { text: "x".repeat(size) } };
}

async function replayed(log: ReturnType<typeof createEventLog>, after: string): Promise<readonly unknown[]> {
  const sent: unknown[] = [];
  await log.replayEventsAfter(after, {
    send: async (_, one) => void sent.push("id" in one ? one.id : undefined),
  });
  return sent;
}

test("later events of the same stream are sent again in order, and none of another stream", async () => {
  const log = createEventLog();
  const first = await log.storeEvent("a", message(1));
  await log.storeEvent("b", message(2));
  await log.storeEvent("a", message(3));
  await log.storeEvent("a", message(4));
  assert.deepEqual(await replayed(log, first), [3, 4]);
  assert.equal(await log.getStreamIdForEventId?.(first), "a");
});

test("an unknown event is refused", async () => {
  await assert.rejects(replayed(createEventLog(), "1"));
});

test("the oldest event is dropped, by number and by size", async () => {
  const log = createEventLog();
  const first = await log.storeEvent("a", message(0));
  for (let id = 1; id <= 1000; id += 1) await log.storeEvent("a", message(id));
  await assert.rejects(replayed(log, first));
  const large = await log.storeEvent("a", message(2000, 5_000_000));
  const larger = await log.storeEvent("a", message(2001, 5_000_000));
  await assert.rejects(replayed(log, large));
  assert.deepEqual(await replayed(log, larger), []);
});

test("an event stored while others are sent again is sent after them", async () => {
  const log = createEventLog();
  const first = await log.storeEvent("a", message(1));
  await log.storeEvent("a", message(2));
  const sent: unknown[] = [];
  await log.replayEventsAfter(first, {
    async send(_, one) {
      sent.push("id" in one ? one.id : undefined);
      if (sent.length === 1) await log.storeEvent("a", message(3));
    },
  });
  assert.deepEqual(sent, [2, 3]);
});

for (const isQuick of [true, false])
  test(`a client resumes the stream of a ${isQuick ? "quick" : "reported"} call that its server has ended before the answer`, async (t) => {
    const resumed = Promise.withResolvers<void>();
    const tool = defineTool({
      name: "poll",
      description: "Answers the client that comes back.",
      async run(_, { find }) {
        find(StreamEnd)?.();
        await resumed.promise;
        return "answered";
      },
    });
    const gateway = createGateway({ engine: engineOf(t, { tools: [tool] }), approvals: createApprovals() });
    const mcp = await createMcpHttp(gateway, [], () => undefined);
    const client = new Client({ name: "test", version: "1" });
    t.after(async () => {
      await client.close();
      await mcp.close();
      await gateway.close();
    });
    const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => {
      const headers = new Headers(init?.headers);
      if (headers.has("last-event-id")) resumed.resolve();
      if (typeof init?.body === "string") headers.set("content-length", `${init.body.length}`);
      return mcp.fetch(new Request(url, { ...init, headers }));
    };
    await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
    const options = isQuick ? {} : { onprogress: () => undefined };
    const { content } = await client.callTool({ name: "poll", arguments: {} }, options);
    assert.deepEqual(content, [{ type: "text", text: "answered" }]);
  });
