import assert from "node:assert/strict";
import { test } from "node:test";
import { engineOf } from "../../../../test/support/sources.ts";
import { createApprovals } from "../sessions/approvals.ts";
import { createGateway } from "../sessions/gateway.ts";
import { createMcpHttp } from "./mcp-http.ts";

const CHUNK = new Uint8Array(1024 * 1024).fill(32);
const MANY = 200;

test("a request to listen that never ends is refused, and not read to its end", async (t) => {
  const gateway = createGateway({ engine: engineOf(t), approvals: createApprovals({}) });
  const mcp = await createMcpHttp({ ceilings: [], gateway, print: () => undefined });
  t.after(async () => {
    await mcp.close();
    await gateway.close();
  });
  let read = 0;
  const body = new ReadableStream({
    pull(controller) {
      read += 1;
      if (read > MANY) controller.close();
      else controller.enqueue(CHUNK);
    },
  });
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-method": "subscriptions/listen",
    "mcp-protocol-version": "2026-07-28",
  };
  const init = { method: "POST", headers, body, duplex: "half" };
  const response = await mcp.fetch(new Request("http://127.0.0.1/mcp", init as RequestInit));
  assert.equal(response.status, 413);
  assert.ok(read < MANY / 2, `${read} MB were read`);
});
