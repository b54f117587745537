import { ToolError } from "../../../core/errors.ts";
import { loadConfig, type ConfigFlags } from "../../config/config.ts";
import { readConfigFile } from "../../config/files/config-file.ts";
import { TRUST_NOTHING } from "../../config/files/trust.ts";
import type { Config } from "../../config/groups.ts";
import type { World } from "./command.ts";

/** Reads the settings, and prints one line for each thing in them that is ignored. */
export function loadSettings(flags: ConfigFlags, { environment, output }: World): Config {
  const config = loadConfig(flags, environment());
  for (const warning of config.report.warnings) output.warn(warning);
  return config;
}

/**
 * Reads the settings for a command that only reads or restores what is stored, which must work while a config file cannot be read: such a file is
 * ignored, which is printed. Not for commands that run calls, decide about them or mask secrets.
 */
export function loadStoreSettings(flags: ConfigFlags, { environment, output }: World): Config {
  const config = loadConfig(flags, environment(), TRUST_NOTHING, (...place) => {
    try {
      return readConfigFile(...place);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      output.warn(`${error.message}; its settings are ignored, also that of the store`);
      return undefined;
    }
  });
  for (const warning of config.report.warnings) output.warn(warning);
  return config;
}
