import { loadConfig, type ConfigFlags } from "../../config/config.ts";
import type { Config } from "../../config/groups.ts";
import type { World } from "./command.ts";

/** Reads the settings, and prints one line for each thing in them that is ignored. */
export function loadSettings(flags: ConfigFlags, { environment, output }: World): Config {
  const config = loadConfig(flags, environment());
  for (const warning of config.report.warnings) output.warn(warning);
  return config;
}
