import type { Assembly } from "../assemble.ts";
import { loadTrustedConfig } from "../apply-trust.ts";
import type { Config, ConfigFlags } from "../config.ts";
import { openPresentStore } from "../open-configured-store.ts";
import type { Output } from "./output.ts";

export interface OpenToolsOptions {
  /** True where what the workspace's session has seen matters: a store that is there is opened, and must be closed. */
  readonly knowsSession?: boolean;
}

/** The tools without a store, for commands that look and do not run; tells what was set but ignored. */
export async function openTools(
  flags: ConfigFlags,
  output: Output,
  { knowsSession = false }: OpenToolsOptions = {},
): Promise<Assembly & { readonly config: Config }> {
  const { config, isTrusted, trust, warnings } = await loadTrustedConfig(flags);
  const { assemble } = await import("../assemble.ts");
  const { configuredPolicy } = await import("../configured-policy.ts");
  const { policy, warnings: ofRules } = await configuredPolicy(config, trust);
  const store = knowsSession ? await openPresentStore(config) : undefined;
  const assembly = assemble(config, { policy, isTrusted, ...(store === undefined ? {} : { store }) });
  for (const warning of [...config.warnings, ...warnings, ...ofRules, ...assembly.warnings])
    tellWarning(output, warning);
  return { ...assembly, config };
}

/** One line on standard error about something that was ignored or lost. */
export function tellWarning(output: Output, warning: string): void {
  output.tell(`toolwright: warning: ${warning}`);
}
