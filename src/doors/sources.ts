export type { Box } from "../system/box/types.ts";
export type { ExtensionDirectory } from "../sources/extension/extension-folder.ts";
export type { Extensions, ExtensionsOptions } from "../sources/extension/extensions.ts";
export { createExtensions } from "../sources/extension/extensions.ts";
export type { ToolDirectory } from "../sources/external/discover.ts";
export type { ExternalOptions, ExternalToolSettings } from "../sources/external/source.ts";
export { createExternalSource } from "../sources/external/source.ts";
export type {
  Found,
  McpConnection,
  McpPrompt,
  McpPromptArgument,
  McpPromptMessage,
  McpResource,
  McpResourceContents,
  McpResourceResult,
  McpServers,
  McpSource,
  McpSourceOptions,
  PinChange,
  Sample,
  SampleAsker,
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
export { forgetLogins, storedLogin } from "../sources/mcp/auth/stored-login.ts";
export { logIn } from "../sources/mcp/login.ts";
export { createMcpServers } from "../sources/mcp/registry.ts";
export { mcpResourceTools } from "../sources/mcp/resource-tools.ts";
export type { HttpServer, McpServer, OAuthSettings, StdioServer } from "../sources/mcp/transport/server.ts";
export type { Backoff } from "../sources/mcp/transport/backoff.ts";
export { createMcpSource } from "../sources/mcp/source.ts";
export type { SkillDirectory } from "../app/host/skills/skills.ts";
export { createSkills } from "../app/host/skills/skills.ts";
