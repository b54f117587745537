import assert from "node:assert/strict";
import { test } from "node:test";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { tokenCaller } from "../../host/people/caller.ts";
import { createApprovals } from "../sessions/approvals.ts";
import { createGateway } from "../sessions/gateway.ts";
import { createMcpDoors } from "./mcp-doors.ts";
import { createMcpHttp } from "./mcp-http.ts";

test("a door that could not be opened is opened by the next request", async (t) => {
  const gateway = createGateway({ engine: engineOf(t, {}), approvals: createApprovals() });
  let tries = 0;
  const doors = createMcpDoors(
    gateway,
    [],
    () => undefined,
    async (...given) => {
      tries += 1;
      if (tries === 1) throw new Error("no file can be opened now");
      return createMcpHttp(...given);
    },
  );
  t.after(async () => {
    await doors.close();
    await gateway.close();
  });
  const send = async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": "unknown",
    };
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return doors.fetch(request, tokenCaller("call"));
  };
  await assert.rejects(send, /no file can be opened now/);
  assert.equal((await send()).status, 404);
  assert.equal((await send()).status, 404);
  assert.equal(tries, 2);
});
