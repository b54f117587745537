import type { Config } from "../../config/config.ts";
import type { HostFleet } from "./host-fleet.ts";

/** The fleet of a host without one. */
export const NO_FLEET: HostFleet = {
  executors: [],
  sources: () => [],
  share: () => undefined,
  approver: (own) => own,
  close: async () => undefined,
};

/** Creates the fleet of a config. Its module is loaded only for a worker, and for a config that has servers. */
export async function openHostFleet(config: Config, isWorker = false): Promise<HostFleet> {
  if (!isWorker && config.fleet.servers === undefined) return NO_FLEET;
  const { createHostFleet, ON_WORKER } = await import("./host-fleet.ts");
  return isWorker ? ON_WORKER : (createHostFleet(config) ?? NO_FLEET);
}
