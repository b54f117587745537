import type { Assembly } from "../assemble.ts";
import type { Config, ConfigFlags } from "../config.ts";
import { loadConfig } from "../config.ts";
import type { Output } from "./output.ts";

/** The tools without a store, for commands that look and do not run; tells what was set but ignored. */
export async function openTools(
  flags: ConfigFlags,
  output: Output,
): Promise<Assembly & { readonly config: Config }> {
  const config = loadConfig(flags);
  const { assemble } = await import("../assemble.ts");
  const assembly = assemble(config);
  for (const warning of [...config.warnings, ...assembly.warnings]) tellWarning(output, warning);
  return { ...assembly, config };
}

/** One line on standard error about something that was ignored or lost. */
export function tellWarning(output: Output, warning: string): void {
  output.tell(`toolwright: warning: ${warning}`);
}
