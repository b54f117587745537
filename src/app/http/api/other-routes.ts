import { REMOTE_JOB } from "../../../remote/wire.ts";
import { object, string } from "../../../schema/define/schema.ts";
import { ResultShape } from "./call-shapes.ts";
import type { Route } from "./routes.ts";
import { anyObject } from "./typed.ts";

/** Operations outside /api, for the OpenAPI document. The console does not use them. */
export const OTHER_ROUTES = {
  execute: {
    method: "POST",
    path: "/execute",
    summary:
      "run a tool in the form of a tool server; a client that accepts text/event-stream gets its progress too",
    rights: ["call"],
    body: REMOTE_JOB,
    answer: ResultShape,
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "the calls of this process and of the store, and what waits, in the text format of Prometheus",
    rights: ["read"],
    answer: string(),
    type: "text/plain",
  },
  mcp: {
    method: "POST",
    path: "/mcp",
    summary:
      "the Model Context Protocol over streamable HTTP: a message of the client, after initialize with the header Mcp-Session-Id",
    rights: ["call"],
    body: anyObject("a JSON-RPC message"),
    answer: anyObject("a JSON-RPC message, or events for a client that accepts text/event-stream"),
  },
  mcpEvents: {
    method: "GET",
    path: "/mcp",
    summary: "messages of the MCP server to the client of the header Mcp-Session-Id, as they happen",
    rights: ["call"],
    answer: anyObject("events, each with a JSON-RPC message"),
    type: "text/event-stream",
  },
  mcpEnd: {
    method: "DELETE",
    path: "/mcp",
    summary: "end the MCP session of the header Mcp-Session-Id, and everything that runs for it",
    rights: ["call"],
    answer: anyObject("no content"),
  },
  logout: {
    method: "POST",
    path: "/auth/logout",
    summary: "end the login of the browser that sends this; the answer says where to go next",
    rights: ["read", "own", "call", "approve", "admin"],
    answer: object({ url: string("where the browser logs out at the provider too, or /") }),
  },
} as const satisfies Readonly<Record<string, Route>>;
