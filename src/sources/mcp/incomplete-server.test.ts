import assert from "node:assert/strict";
import { test } from "node:test";
import { createMcpSource } from "./source.ts";

test("a server that is incomplete, or an entry of mcpServers, is refused with what to write", () => {
  const program = { kind: "stdio", command: "node", args: [], environment: {}, cwd: "/" };
  for (const server of [
    { command: "node", args: [] },
    { ...program, args: undefined },
    { ...program, environment: undefined },
    { kind: "http", url: "nowhere", headers: {} },
  ])
    assert.throws(() => createMcpSource({ name: "x", server: server as never }), {
      code: "INVALID_INPUT",
      hint: /kind: "stdio", command, args, environment, cwd/,
    });
});
