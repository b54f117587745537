import { hasMcpServers } from "../../config/config.ts";
import { mcpEntries, pinsOf } from "../../host/sources/mcp-sources.ts";
import { loadTrustedConfig, type UntrustedConfig } from "../../host/store/apply-trust.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import { INSTRUCTIONS } from "../../../sources/mcp/tools/definition.ts";
import { toolNameOf } from "../../../sources/mcp/tools/names.ts";
import type { ServerInstructions } from "../types/gateway-types.ts";

/** Reads the approved instructions of the servers from the store: a handshake does not wait for a server to start. Never rejects. */
export async function pinnedInstructions(untrusted: UntrustedConfig): Promise<readonly ServerInstructions[]> {
  if (!hasMcpServers(untrusted.config.mcp)) return [];
  try {
    const { config, isTrusted } = await loadTrustedConfig(untrusted);
    await using store = await openPresentStore(config);
    if (store === undefined) return [];
    const { collections } = store;
    const entries = mcpEntries(config, isTrusted).map(async ({ configured, ...entry }) => {
      const { name } = entry;
      if (!entry.isTrusted || "problem" in configured || configured.isDisabled) return [];
      const pinned = await pinsOf({ ...entry, configured }, { config, collections }).read();
      const text = pinned?.get(INSTRUCTIONS)?.definition.description ?? "";
      const tools = [...(pinned?.keys() ?? [])].filter((one) => one !== INSTRUCTIONS);
      return [{ server: name, text, tools: tools.map((one) => toolNameOf(name, one)) }];
    });
    const pinnedEntries = await Promise.all(entries);
    return pinnedEntries.flat();
  } catch {
    // Opening the gateway reports what is wrong with the store or the config.
    return [];
  }
}
