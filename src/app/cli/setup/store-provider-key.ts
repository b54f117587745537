import type { ConfigGroups } from "../../config/groups.ts";
import { keysOf, keyVariableOf, storeKey } from "../../host/keys/stored-key.ts";

/** Stores the key of a provider. Returns the sentence that says where, and which other key is used instead of it. */
export async function storeProviderKey(
  config: ConfigGroups<"agent" | "environment" | "paths">,
  provider: string,
  key: string,
): Promise<string> {
  const variable = keyVariableOf(provider);
  const place = await storeKey(config, variable, key);
  return `stored the key of ${provider} in ${place}${overrideOf(config, provider, variable)}\n`;
}

/** Returns what keeps a stored key from being used; "" if nothing does. */
function overrideOf(
  { agent, environment }: ConfigGroups<"agent" | "environment">,
  provider: string,
  variable: string,
): string {
  const { keyVariable } = agent.models[provider] ?? {};
  const names = keysOf(provider, keyVariable);
  const used = names.find((name) => environment.variables[name]);
  if (used !== undefined) return `; ${used} in the environment is used instead`;
  if (names.includes(variable)) return "";
  return `; it is not used: the settings name ${keyVariable}, which is not set`;
}
