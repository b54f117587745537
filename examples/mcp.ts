// MCP in both directions: an engine behind an MCP endpoint, and an engine that uses the tools of an MCP server.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createEngine, defineTool, object, string } from "toolwright";
import { createMemoryCollections } from "toolwright/agent";
import {
  createMcpApprovals,
  createMcpHandler,
  createMcpServers,
  createMcpSource,
  forgetLogins,
  logIn,
  mcpResourceTools,
  storedLogin,
} from "toolwright/mcp";

const greet = defineTool({
  name: "greet",
  description: "Greets a person.",
  input: object({ name: string("The person") }),
  risk: "low",
  run: ({ name }) => `Hello, ${name}.`,
});
// Clients ask their users, with a form; calls that no client made are denied.
const approvals = createMcpApprovals();
const served = createEngine({ tools: [greet], approver: approvals.approver });
const handler = await createMcpHandler(served, {
  info: { name: "greeter", title: "Greeter", version: "1.0.0" },
  approvals,
});
// A handler is a function from Request to Response: mount it in your server, behind your own authentication.
const http = serve({ fetch: (request) => handler.fetch(request), hostname: "127.0.0.1", port: 0 });
await once(http, "listening");
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;

// The other side. A login is stored in a collection; `logIn` shows the user the page of a server that needs one.
const server = { kind: "http", url, headers: {}, transport: "auto" } as const;
const collections = createMemoryCollections();
const logins = collections.open("logins");
const stored = storedLogin({ collection: logins, name: "greeter", url });
const show = (address: URL): void => console.log(`log in at ${address.href}`);
const login = await logIn({ name: "greeter", server, stored, show }, AbortSignal.timeout(60_000));
assert.equal(login, undefined, "this server needs no login");

const source = createMcpSource({ name: "greeter", server, logins });
const engine = createEngine({
  tools: mcpResourceTools(createMcpServers([source])),
  // A tool of a server has medium risk at least, whatever the server says.
  mode: "yolo",
});
engine.sources.add(source);
await engine.sources.settled();
console.log(engine.list().map(({ name }) => name));
const result = await engine.run({ id: "1", name: "greeter__greet", input: { name: "Ada" } });
assert.match(JSON.stringify(result.content), /Hello, Ada\./);

await forgetLogins(logins, "greeter");
await engine.close();
await handler.close();
await served.close();
http.close();
