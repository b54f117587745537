import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Assembly } from "../assemble.ts";
import type { Config, ConfigFlags } from "../config.ts";
import { loadConfig } from "../config.ts";
import { hasMcpServers } from "../open-mcp.ts";
import type { Store } from "../open-configured-store.ts";
import type { Output } from "./output.ts";

export interface OpenToolsOptions {
  /** True where what the workspace's session has seen matters: a store that is there is opened, and must be closed. */
  readonly knowsSession?: boolean;
  /** True where one tool is looked for: MCP servers whose tools were seen before are not started for it. */
  readonly startsMcpLate?: boolean;
}

/**
 * The tools for commands that look and do not run; tells what was set but ignored. A store is opened only where it is there and knows
 * something that is looked at: the session, or what the user has seen of MCP servers.
 */
export async function openTools(
  flags: ConfigFlags,
  output: Output,
  { knowsSession = false, startsMcpLate = false }: OpenToolsOptions = {},
): Promise<Assembly & { readonly config: Config }> {
  const config = loadConfig(flags);
  const { assemble } = await import("../assemble.ts");
  const store = knowsSession || hasMcpServers(config) ? await openPresentStore(config) : undefined;
  const assembly = assemble(config, { startsMcpLate, ...(store !== undefined && { store }) });
  for (const warning of [...config.warnings, ...assembly.warnings]) tellWarning(output, warning);
  return { ...assembly, config };
}

/** Never makes one: looking leaves nothing behind. */
export async function openPresentStore(config: Config): Promise<Store | undefined> {
  if (!existsSync(join(config.store, "toolwright.db"))) return undefined;
  const { openConfiguredStore } = await import("../open-configured-store.ts");
  return openConfiguredStore(config);
}

/** One line on standard error about something that was ignored or lost. */
export function tellWarning(output: Output, warning: string): void {
  output.tell(`toolwright: warning: ${warning}`);
}
