// An MCP server for the soak: one tool, which returns its text.
import { createInterface } from "node:readline";

const TOOL = { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "soak", version: "1" },
    },
    "tools/list": { tools: [TOOL] },
    "tools/call": { content: [{ type: "text", text: String(params?.arguments?.text) }] },
    ping: {},
  };
  if (id === undefined) continue;
  const answer =
    method in results ? { result: results[method] } : { error: { code: -32601, message: method } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
