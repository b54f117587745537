import assert from "node:assert/strict";
import { test } from "node:test";
import { createMcpSource } from "./source.ts";

test("a server that is incomplete, or an entry of mcpServers, is refused with the field and what to write", () => {
  const program = { kind: "stdio", command: "node", args: [], environment: {}, cwd: "/" };
  for (const [field, server] of [
    ["server", undefined],
    ["server", "node server.js"],
    ["kind", { command: "node", args: [] }],
    ["command", { kind: "stdio", args: [], environment: {} }],
    ["command", { ...program, command: "" }],
    ["args", { ...program, args: undefined }],
    ["environment", { ...program, environment: undefined }],
    ["url", { kind: "http", headers: {} }],
    ["url", { kind: "http", url: "nowhere", headers: {} }],
    ["headers", { kind: "http", url: "https://example.com/mcp" }],
  ] as const)
    assert.throws(() => createMcpSource({ name: "x", server: server as never }), {
      code: "INVALID_INPUT",
      message: `MCP server "x": ${field} is missing or invalid`,
      hint: /kind: "stdio", command, args, environment, cwd/,
    });
});
