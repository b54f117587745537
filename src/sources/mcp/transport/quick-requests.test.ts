import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client, JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import * as sdk from "@modelcontextprotocol/client";
import { createQuickRequests } from "./quick-requests.ts";

test("a call whose signal is already aborted rejects, and the server is notified", async () => {
  const sent: JSONRPCMessage[] = [];
  const send = async (message: object): Promise<void> => void sent.push(message as JSONRPCMessage);
  const transport: Transport = { start: async () => undefined, close: async () => undefined, send };
  const quick = createQuickRequests(sdk, transport, { notification: send } as unknown as Client);
  const signal = AbortSignal.abort(new Error("nobody waits"));
  const called = quick.callTool({ name: "echo", arguments: {} }, { signal }, () => undefined);
  // If it does not reject by itself, it rejects with this.
  quick.close();
  await assert.rejects(called, /nobody waits/);
  assert.deepEqual(
    sent.map((message) => "method" in message && message.method),
    ["tools/call", "notifications/cancelled"],
  );
});
