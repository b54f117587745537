// From the MCP SDK: a server with a tool, before and after. A client of the SDK uses both.
import assert from "node:assert/strict";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { createEngine, defineTool } from "toolwright";
import { createMcpHandler } from "toolwright/mcp";
import { z } from "zod";

const [input, output] = [z.object({ city: z.string() }), z.object({ rain: z.boolean() })];

async function before(): Promise<unknown> {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  server.registerTool(
    "weather",
    {
      description: "Weather for a city.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true },
    },
    async ({ city }) => {
      const structuredContent = { rain: city === "Oslo" };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return use(client);
}

async function after(): Promise<unknown> {
  const weather = defineTool({
    name: "weather",
    description: "Weather for a city.",
    input,
    output,
    reading: true,
    // What it returns is the text and the structured content.
    run: ({ city }) => ({ rain: city === "Oslo" }),
  });
  await using engine = createEngine({ tools: [weather] });
  // Mount `fetch` in a server, behind its authentication; `serveMcp(engine)` is the same over standard input and output.
  await using handler = await createMcpHandler(engine, { info: { name: "weather", version: "1.0.0" } });
  const client = new Client({ name: "reader", version: "1.0.0" });
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://server.example/mcp"), { fetch }));
  return await use(client);
}

async function use(client: Client): Promise<unknown> {
  const { tools } = await client.listTools();
  assert.equal(tools.find(({ name }) => name === "weather")?.annotations?.readOnlyHint, true);
  const { structuredContent } = await client.callTool({ name: "weather", arguments: { city: "Oslo" } });
  await client.close();
  return structuredContent;
}

for (const program of [before, after]) {
  const answer = await program();
  console.log(`${program.name}: ${JSON.stringify(answer)}`);
  assert.deepEqual(answer, { rain: true });
}
