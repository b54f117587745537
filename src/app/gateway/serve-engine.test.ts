import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { createInterface } from "node:readline/promises";
import { describe, it, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { add, call } from "../../../test/support/engines/engine.ts";
import { engineOf } from "../../../test/support/engines/sources.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createMcpApprovals, createMcpHandler, serveMcp, type McpServerOptions } from "./serve-engine.ts";

const risky = defineTool({ ...add, name: "risky", risk: "high" });
const info = { name: "shop", title: "Shop", version: "2.0.0" };

/** Opens a client of a handler, which is called without a network. */
async function clientOf(
  t: TestContext,
  engine: Engine,
  options: McpServerOptions = {},
  answer: "accept" | "decline" = "accept",
): Promise<Client> {
  const handler = await createMcpHandler(engine, { info, ...options });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", () =>
    answer === "accept" ? { action: "accept", content: { answer: "once" } } : { action: "decline" },
  );
  const url = new URL("http://127.0.0.1/mcp");
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: (given, init) => handler.fetch(new Request(given, init)),
  });
  await client.connect(transport);
  t.after(async () => {
    await client.close();
    await handler.close();
  });
  return client;
}

describe("createMcpHandler", () => {
  it("serves the engine's tools under the program's own name, within the ceilings", async (t) => {
    const engine = engineOf(t, { tools: [add, risky] });
    const client = await clientOf(t, engine, { ceilings: [{ tools: ["add"] }] });
    assert.equal(client.getServerVersion()?.name, "shop");
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["add"],
    );
    const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    assert.deepEqual(result.content, [{ type: "text", text: '{"sum":3}' }]);
    assert.equal((await client.callTool({ name: "risky", arguments: { a: 1, b: 2 } })).isError, true);
  });

  it("asks the client's user if its approvals are the engine's, and leaves the engine open when it is closed", async (t) => {
    for (const [answer, isError] of [
      ["accept", undefined],
      ["decline", true],
    ] as const) {
      const approvals = createMcpApprovals();
      const engine = engineOf(t, { tools: [risky], mode: "auto", approver: approvals.approver });
      const client = await clientOf(t, engine, { approvals }, answer);
      const result = await client.callTool({ name: "risky", arguments: { a: 1, b: 2 } });
      assert.equal(result.isError, isError, JSON.stringify(result.content));
      await client.close();
      assert.equal(
        (await engine.run(call("risky", { a: 1, b: 2 }))).ok,
        false,
        "without a client nobody answers",
      );
    }
  });

  it("asks the other approver about calls that no client made", async (t) => {
    const approvals = createMcpApprovals({ ask: async () => ({ approved: true, scope: "once" }) });
    const engine = engineOf(t, { tools: [risky], mode: "auto", approver: approvals.approver });
    assert.equal((await engine.run(call("risky", { a: 1, b: 2 }))).ok, true);
  });
});

describe("serveMcp", () => {
  it("serves one client over two streams until its input ends", async (t) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const engine = engineOf(t, { tools: [add] });
    const served = serveMcp(engine, { stdin, stdout, info });
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object): Promise<unknown> => {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const { value } = await lines.next();
        const message = JSON.parse(String(value)) as { readonly id?: number; readonly result: unknown };
        if (message.id === id) return message.result;
      }
    };
    const clientInfo = { name: "x", version: "1" };
    const greeting = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    assert.deepEqual(((await ask(1, "initialize", greeting)) as { serverInfo: unknown }).serverInfo, info);
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const result = await ask(2, "tools/call", { name: "add", arguments: { a: 2, b: 2 } });
    assert.deepEqual((result as { content: unknown }).content, [{ type: "text", text: '{"sum":4}' }]);
    stdin.end();
    await served.ended;
    await served.close();
    assert.equal((await engine.run(call("add", { a: 1, b: 1 }))).ok, true, "the engine stays open");
  });

  it("answers a call that runs when the input ends as cancelled, also one from before it was open", async (t) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const slow = defineTool({ ...add, name: "slow", run: () => new Promise<never>(() => undefined) });
    const served = serveMcp(engineOf(t, { tools: [slow] }), { stdin, stdout, info });
    const greeting = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    };
    const messages = [
      { id: 1, method: "initialize", params: greeting },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "slow", arguments: { a: 2, b: 2 } } },
    ];
    stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
    await served.ended;
    await served.close();
    const answers = String(stdout.read()).split("\n");
    assert.match(answers.find((line) => line.includes('"id":2')) ?? "", /the call was cancelled/);
  });
});
