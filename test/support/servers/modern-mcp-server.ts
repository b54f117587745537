// A stdio server that supports only the newest protocol.
import { McpServer, fromJsonSchema } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(
  () => {
    const server = new McpServer({ name: "modern", version: "1" });
    const inputSchema = fromJsonSchema<{ readonly text: string }>({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    });
    server.registerTool("echo", { description: "Echoes.", inputSchema }, async ({ text }) => ({
      content: [{ type: "text", text }],
    }));
    return server;
  },
  { legacy: "reject" },
);
