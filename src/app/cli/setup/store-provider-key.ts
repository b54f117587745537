import type { ConfigGroups } from "../../config/groups.ts";
import { keyVariableOf, storeKey } from "../../host/keys/stored-key.ts";

/** Stores the key of a provider. Returns the sentence that says where, and which other key is used instead of it. */
export async function storeProviderKey(
  config: ConfigGroups<"agent" | "environment" | "paths">,
  provider: string,
  key: string,
): Promise<string> {
  const variable = keyVariableOf(provider);
  const place = await storeKey(config, variable, key);
  const { keyVariable } = config.agent.models[provider] ?? {};
  const isOverridden = keyVariable !== undefined || Boolean(config.environment.variables[variable]);
  const overrides = isOverridden ? `; ${keyVariable ?? variable} in the environment is used instead` : "";
  return `stored the key of ${provider} in ${place}${overrides}\n`;
}
