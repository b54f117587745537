import type { FleetAddress } from "../../../remote/fleet/types/options.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { atHome } from "../../../system/paths/at-home.ts";

/** Returns how to reach the fleet of a config, or undefined if the config has no servers. */
export function fleetAddress(
  fleet: ConfigGroups<"fleet">["fleet"],
  userHome: string,
): FleetAddress | undefined {
  const { servers = [], namespace, credentials, tls, replicas } = fleet;
  if (servers.length === 0) return undefined;
  const path = (one: string | undefined): string | undefined => one && atHome(one, userHome);
  return {
    servers,
    namespace,
    replicas,
    credentials: path(credentials),
    tls: tls && { ca: path(tls.ca), cert: path(tls.cert), key: path(tls.key) },
  };
}
