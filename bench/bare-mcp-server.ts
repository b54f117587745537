// The baseline of bench/gateway.ts: a built-in tool on the SDK's own server, in memory or with the store that is named.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { createMemoryCollections } from "../src/util/json/memory-collections.ts";
import { createSqliteCollections } from "../src/store/database/collections.ts";
import { openDatabase } from "../src/store/database/database.ts";
import { think } from "../src/tools/memory/goals/read-reasoning.ts";

const { values } = parseArgs({ options: { http: { type: "boolean" }, store: { type: "string" } } });
const collections =
  values.store === undefined
    ? createMemoryCollections()
    : createSqliteCollections(await openDatabase(join(values.store, "bare.db")));
const tool = think({ collections });
const session = { id: "bare" };
let calls = 0;

function createServer(): McpServer {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  const inputSchema = z.object({ thought: z.string().min(1).describe("The thought") });
  server.registerTool("think", { description: tool.description, inputSchema }, async (input) => {
    calls += 1;
    const call = { id: `${calls}`, name: "think", input };
    const context = { call, get: () => session, find: () => undefined };
    const text = String(await tool.run(input, context as never));
    return { content: [{ type: "text", text }] };
  });
  return server;
}

if (values.http === true) {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await createServer().connect(transport);
  const server = serve(
    { fetch: (request) => transport.handleRequest(request), hostname: "127.0.0.1", port: 0 },
    () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
  );
} else serveStdio(createServer);
