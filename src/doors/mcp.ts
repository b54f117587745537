export type {
  Approvals,
  ApprovedCall,
  AskClient,
  McpHttp,
  ServedStdio,
  ServerInfo,
  Waiting,
} from "../app/gateway/types/public-types.ts";
export type { McpServerOptions, ServeMcpOptions } from "../app/gateway/serve-engine.ts";
export { createMcpApprovals, createMcpHandler, serveMcp } from "../app/gateway/serve-engine.ts";

export type {
  Definition,
  Found,
  HashedDefinition,
  McpConnection,
  McpMessage,
  McpPrompt,
  McpPromptArgument,
  McpPromptMessage,
  McpResource,
  McpResourceContents,
  McpResourceResult,
  McpServers,
  McpSource,
  McpSourceOptions,
  OtherList,
  PinChange,
  Sample,
  SampleAsker,
  SessionOptions,
} from "../sources/mcp/types/source-types.ts";
export type {
  Challenge,
  Login,
  LoginOptions,
  LoginState,
  OAuthClient,
  OAuthDiscovery,
  OAuthTokens,
  Registration,
  StoredLogin,
  StoredLoginOptions,
} from "../sources/mcp/types/login-types.ts";
export { McpServersKey } from "../sources/mcp/types/source-types.ts";
export { forgetLogins, storedLogin } from "../sources/mcp/auth/stored-login.ts";
export { logIn } from "../sources/mcp/login.ts";
export { createMcpServers } from "../sources/mcp/registry.ts";
export { mcpResourceTools } from "../sources/mcp/resource-tools.ts";
export type { HttpServer, McpServer, OAuthSettings, StdioServer } from "../sources/mcp/transport/server.ts";
export type { Backoff } from "../sources/mcp/transport/backoff.ts";
export { createMcpSource } from "../sources/mcp/source.ts";
export type { ReadableServers } from "../sources/mcp/resource-tools.ts";
export type { ServerLog } from "../sources/mcp/types/client-keys.ts";
export type { Roster, RosterEntry } from "../system/process/roster.ts";
