// Serves an engine to one MCP client over standard input and output, as Claude Desktop and editors start servers.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { createEngine, defineTool } from "toolwright";
import { serveMcp } from "toolwright/mcp";

const clock = defineTool({
  name: "clock",
  description: "Returns the time.",
  risk: "low",
  effects: "none",
  run: () => new Date().toISOString(),
});
const engine = createEngine({ tools: [clock] });

// A program would call serveMcp(engine) and print nothing: standard output belongs to the protocol. Here a client is played.
const [stdin, stdout] = [new PassThrough(), new PassThrough()];
const served = serveMcp(engine, { stdin, stdout, info: { name: "clock", title: "Clock", version: "1.0.0" } });
const clientInfo = { name: "client", version: "1" };
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
for await (const chunk of stdout) {
  console.log(String(chunk).slice(0, 120));
  assert.match(String(chunk), /"serverInfo":\{"name":"clock"/);
  break;
}

stdin.end();
await served.ended;
await served.close();
await engine.close();
