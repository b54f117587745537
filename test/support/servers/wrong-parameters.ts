import type { JsonObject } from "../../../src/core/json.ts";

export const HANDSHAKE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** Requests of MCP whose parameters are wrong: method and params of each. */
export const WRONG_PARAMETERS: readonly JsonObject[] = [
  { method: "ping", params: [] },
  { method: "ping", params: { _meta: 5 } },
  { method: "ping", params: { _meta: { progressToken: null } } },
  { method: "ping", params: { _meta: { "io.modelcontextprotocol/related-task": {} } } },
  { method: "tools/list", params: { cursor: 5 } },
  { method: "tools/call", params: [] },
  { method: "tools/call", params: { name: 5 } },
  { method: "tools/call", params: { name: "add", arguments: [] } },
  { method: "logging/setLevel", params: { level: "loud" } },
  { method: "logging/setLevel" },
  { method: "completion/complete", params: { ref: 5 } },
  { method: "resources/list", params: { cursor: {} } },
  { method: "resources/templates/list", params: { cursor: {} } },
  { method: "resources/read", params: {} },
  { method: "resources/subscribe", params: { uri: 5 } },
  { method: "resources/unsubscribe" },
  { method: "prompts/list", params: { cursor: [] } },
  { method: "prompts/get", params: { name: [] } },
  { method: "initialize" },
  { method: "initialize", params: { ...HANDSHAKE, clientInfo: 5 } },
];
