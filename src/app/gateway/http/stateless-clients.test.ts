import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { engineOf, say } from "../../../../test/support/engines/sources.ts";
import type { Tool } from "../../../core/tool.ts";
import { createApprovals } from "../sessions/approvals.ts";
import { createGateway } from "../sessions/gateway.ts";
import type { McpHttp } from "../types/public-types.ts";
import { createMcpHttp } from "./mcp-http.ts";

const CHUNK = new Uint8Array(1024 * 1024).fill(32);
const MANY = 200;

const VERSION = "2026-07-28";

async function open(t: TestContext, tools: readonly Tool[] = []): Promise<McpHttp> {
  const approvals = createApprovals();
  const engine = engineOf(t, { tools, approver: approvals.approver });
  const gateway = createGateway({ engine, approvals });
  const mcp = await createMcpHttp(gateway, [], () => undefined);
  t.after(async () => {
    await mcp.close();
    await gateway.close();
  });
  return mcp;
}

test("a request to listen that never ends is refused, and not read to its end", async (t) => {
  const mcp = await open(t);
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
    "mcp-protocol-version": VERSION,
  };
  const init = { method: "POST", headers, body, duplex: "half" };
  const response = await mcp.fetch(new Request("http://127.0.0.1/mcp", init as RequestInit));
  assert.equal(response.status, 413);
  assert.ok(read < MANY / 2, `${read} MB were read`);
});

const PLACED = say("placed", "done", {
  input: {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      at: { type: "object", properties: { port: { type: "integer", "x-mcp-header": "Port" } } },
    },
  },
});

for (const [what, input, headers, isAccepted] of [
  ["equal to its header", { region: "north" }, { "mcp-param-region": "north" }, true],
  ["equal to its encoded header", { region: "süd" }, { "mcp-param-region": "=?base64?c8O8ZA==?=" }, true],
  ["inside another, equal to its header", { at: { port: 42 } }, { "mcp-param-port": "42.0" }, true],
  ["that is absent, like its header", {}, {}, true],
  ["that differs from its header", { region: "north" }, { "mcp-param-region": "south" }, false],
  ["without its header", { region: "north" }, {}, false],
  ["inside another, without its header", { at: { port: 42 } }, {}, false],
  ["with a damaged header", { region: "Hello" }, { "mcp-param-region": "=?base64?SGVsbG8?=" }, false],
] as const)
  test(`a call with a header parameter ${what} is ${isAccepted ? "accepted" : "refused"}`, async (t) => {
    const mcp = await open(t, [PLACED]);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": VERSION,
      "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "placed", arguments: input, _meta };
    const response = await mcp.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": VERSION,
          "mcp-method": "tools/call",
          "mcp-name": "placed",
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      }),
    );
    const text = await response.text();
    if (isAccepted) assert.match(text, /"text":"done"/);
    else assert.match(`${response.status} ${text}`, /^400 .*-32020/s);
  });

test("an answer that comes before its question is ignored, and so are answers to nothing", async (t) => {
  const asking = say("asking", "", {
    run: async (_, { ask }) => JSON.stringify(await ask({ text: "Who?", details: { form: FORM } })),
  });
  const mcp = await open(t, [asking]);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const accept = (name: string): object => ({ action: "accept", content: { name } });
  const send = async (more: object): Promise<Answered> => {
    const params = { name: "asking", arguments: {}, _meta, ...more };
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": "asking",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const response = await mcp.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
    const [data = ""] = /\{"[\s\S]*\}/.exec(await response.text()) ?? [];
    return (JSON.parse(data) as { readonly result: Answered }).result;
  };
  const { resultType, requestState } = await send({ inputResponses: { approval: accept("early") } });
  assert.equal(resultType, "input_required");
  const { content } = await send({
    requestState,
    inputResponses: { approval: accept("Ada"), unknown: accept("nobody"), other: { action: "decline" } },
  });
  assert.match(content?.[0]?.text ?? "", /"approved":true.*"name":"Ada"/);
});

interface Answered {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly content?: readonly { readonly text: string }[];
}

const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
