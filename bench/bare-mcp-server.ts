// The floor of bench/gateway.ts: one of our built-in tools as anyone would put it on the SDK's own server.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  const inputSchema = z.object({ thought: z.string().describe("The thought") });
  server.registerTool("think", { description: "Notes a thought.", inputSchema }, () => ({
    content: [{ type: "text", text: "Noted." }],
  }));
  return server;
});
