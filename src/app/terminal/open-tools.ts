import type { Assembly } from "../host/assemble.ts";
import { loadTrustedConfig } from "../host/store/apply-trust.ts";
import type { Config, ConfigFlags } from "../config/config.ts";
import { hasMcpServers } from "../host/sources/open-mcp.ts";
import { openPresentStore } from "../host/store/open-configured-store.ts";
import { endOnSignals } from "./input/interrupt.ts";
import type { Output } from "./print/output.ts";
import { beShortLived } from "./print/short-lived.ts";
import { visible } from "../../util/text/visible.ts";

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
  beShortLived();
  // Programs and servers that are asked for their tools are in process groups of their own, which Ctrl-C does not reach.
  const stopEnding = endOnSignals();
  const { config, isTrusted, trust, warnings } = await loadTrustedConfig(flags);
  const { assemble } = await import("../host/assemble.ts");
  const { createConfiguredPolicy, readConfiguredRules } = await import("../host/policy.ts");
  const rules = await readConfiguredRules(config, trust);
  const policy = createConfiguredPolicy(config, rules);
  const store = knowsSession || hasMcpServers(config) ? await openPresentStore(config) : undefined;
  const kept = store === undefined ? {} : { store };
  const assembly = assemble(config, { policy, isTrusted, startsMcpLate, ...kept });
  for (const warning of [
    ...config.warnings,
    ...warnings,
    ...rules.problems,
    ...rules.notes,
    ...assembly.warnings,
  ])
    tellWarning(output, warning);
  return {
    ...assembly,
    config,
    async close() {
      await assembly.close();
      stopEnding();
    },
  };
}

/** One line on standard error about something that was ignored or lost. What it names may come from a stranger's folder. */
export function tellWarning(output: Output, warning: string): void {
  output.tell(`toolwright: warning: ${visible(warning)}`);
}
