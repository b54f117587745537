import type { ToolSource } from "../../../core/source.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Sample } from "../../../sources/mcp/connection/client.ts";
import type { McpServers } from "../../../sources/mcp/registry.ts";
import type { Config } from "../../config/config.ts";
import { mcpSources } from "./mcp-sources.ts";
import type { Store } from "../store/open-configured-store.ts";
import { stateFolderOf } from "./tool-options.ts";
import type { IsTrusted } from "../../config/files/trust.ts";

export interface OpenMcpOptions {
  readonly isTrusted: IsTrusted;
  readonly store: Store | undefined;
  /** Tools that the user has seen before are taken from there, and a server is started when one of its tools is called. */
  readonly startsLate: boolean;
  /** Told each value of a login that nobody may see, before it is used. */
  readonly onSecret: (secret: string) => void;
  /** Asks the configured model on behalf of a server; left out: sampling is declined. */
  readonly sample: Sample | undefined;
}

/** What an engine gets from the MCP servers of the config. */
export interface OpenMcp {
  readonly sources: readonly ToolSource[];
  /** Tools over all servers. */
  readonly tools: Tool[];
  /** Values to mask wherever they appear. */
  readonly secrets: readonly string[];
  /** Undefined where there is no server. */
  readonly servers: McpServers | undefined;
}

/** Opens the MCP servers of the config; starts none of them. */
export function openMcp(
  config: Config,
  { isTrusted, store, startsLate, onSecret, sample }: OpenMcpOptions,
): OpenMcp {
  if (!hasMcpServers(config)) return NONE;
  const stateFolder = stateFolderOf(config, store);
  return mcpSources(config, {
    isTrusted,
    startsLate,
    onSecret,
    ...(sample !== undefined && { sample }),
    ...(store !== undefined && { collections: store.collections }),
    ...(stateFolder !== undefined && { stateFolder }),
  });
}

export function hasMcpServers({ mcpServers, projectMcpServers }: Config): boolean {
  return Object.keys(mcpServers).length + projectMcpServers.length > 0;
}

const NONE: OpenMcp = { sources: [], tools: [], secrets: [], servers: undefined };
