import { ToolError } from "../../../core/errors.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import type { FleetContext, HostFleet } from "./host-fleet.ts";

/** The fleet of a host without one. */
export const NO_FLEET: HostFleet = {
  executors: [
    {
      place: "fleet",
      isElsewhere: true,
      execute({ tool }) {
        const message = `"${tool.name}" runs in place "fleet", which has no executor`;
        throw new ToolError("NO_EXECUTOR", message, { hint: "set fleet.servers in the config" });
      },
    },
  ],
  sources: () => [],
  share: () => undefined,
  approver: (own) => own,
  close: async () => undefined,
};

/** The fleet of a worker, which sends no calls: a tool with the place `fleet` runs on the worker itself. */
const ON_WORKER: HostFleet = {
  ...NO_FLEET,
  executors: [
    {
      place: "fleet",
      fallback: "host",
      accepts: () => false,
      execute() {
        throw new ToolError("NO_EXECUTOR", "a worker sends no calls to the fleet");
      },
    },
  ],
};

export interface FleetOptions extends FleetContext {
  readonly isWorker?: boolean | undefined;
}

/** Creates the fleet of a config. Its module is loaded only for a config that has servers. */
export async function openHostFleet(
  config: ConfigGroups<"fleet" | "paths" | "storage">,
  { isWorker = false, ...context }: FleetOptions = {},
): Promise<HostFleet> {
  if (isWorker) return ON_WORKER;
  if (config.fleet.servers === undefined) return NO_FLEET;
  return (await import("./host-fleet.ts")).createHostFleet(config, context) ?? NO_FLEET;
}
