import { targetOf } from "../../../sources/mcp/transport/server.ts";
import { mcpEntries, pinsOf, type McpEntry } from "../../host/sources/mcp-sources.ts";
import type { Source } from "../api/host-shapes.ts";
import type { Served } from "./served.ts";

type ServerState = NonNullable<Source["server"]>;
type Servers = Served["host"] & Pick<Served, "engine" | "store">;

/** Returns the MCP servers of the config, by the names of their sources. */
export async function serverStates(host: Servers): Promise<ReadonlyMap<string, ServerState>> {
  const entries = mcpEntries(host.config, host.trusted.isTrusted);
  const states = entries.map(async (entry) => [`mcp:${entry.name}`, await serverState(host, entry)] as const);
  return new Map(await Promise.all(states));
}

async function serverState({ mcp, config, store, engine }: Servers, entry: McpEntry): Promise<ServerState> {
  const { name, isProject, isTrusted, configured } = entry;
  const isConnected = mcp?.sources.find((one) => one.server === name)?.current() !== undefined;
  const common = { name, isConnected, isProject, isTrusted };
  if ("problem" in configured) return { ...common, target: configured.problem, unapproved: 0 };
  const { collections } = store;
  const pending = await pinsOf({ ...entry, configured }, { config, collections }).pending();
  const target = engine.masker.text(targetOf(configured.server));
  return { ...common, target, unapproved: pending.definitions.length };
}
