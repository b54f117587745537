import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../../../../test/support/engines/engine.ts";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { HANDSHAKE, WRONG_PARAMETERS } from "../../../../test/support/servers/wrong-parameters.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createApprovals } from "../sessions/approvals.ts";
import { createGateway } from "../sessions/gateway.ts";
import { createMcpHttp } from "./mcp-http.ts";

test("malformed requests over HTTP have the answers and codes that they have over stdio", async (t) => {
  const gateway = createGateway({ engine: engineOf(t, { tools: [add] }), approvals: createApprovals() });
  const mcp = await createMcpHttp(gateway, [], () => undefined);
  t.after(async () => {
    await mcp.close();
    await gateway.close();
  });
  let session: string | null = null;
  const ask = async (message: JsonObject) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: "a", ...message });
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": `${body.length}`,
      ...(session !== null && { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }),
    };
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body });
    const response = await mcp.fetch(request);
    session ??= response.headers.get("mcp-session-id");
    const text = await response.text();
    return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as {
      readonly id: unknown;
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string };
    };
  };
  assert.ok((await ask({ method: "initialize", params: HANDSHAKE })).result);
  for (const request of WRONG_PARAMETERS) {
    const { id, error } = await ask(request);
    assert.deepEqual([id, error?.code], ["a", -32_602], JSON.stringify([request, error]));
    assert.doesNotMatch(error?.message ?? "", /[[{\n]/);
  }
  for (const more of [{ extra: 1 }, { result: {} }, { error: null }])
    assert.deepEqual((await ask({ method: "ping", ...more })).result, {}, JSON.stringify(more));
  for (const message of [{ jsonrpc: "1.0", method: "ping" }, {}, { method: 5 }])
    assert.equal((await ask(message)).error?.code, -32_600, JSON.stringify(message));
});
