import { readFileSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { Executor } from "../../../core/executor.ts";
import type { ToolSource } from "../../../core/source.ts";
import { createFleetExecutor } from "../../../remote/fleet/executor.ts";
import { openFleet, type OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import { createSign } from "../../../remote/fleet/sign.ts";
import { createFleetSource } from "../../../remote/fleet/source.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { Config } from "../../config/config.ts";
import { atHome } from "../../../system/paths/at-home.ts";
import { fleetAddress } from "./fleet-address.ts";

/** The fleet of a host; it is connected by the first call or load that needs it. */
export interface HostFleet {
  readonly executors: readonly Executor[];
  /** Creates the source of the tools that only workers have. */
  sources(engine: Pick<Engine, "get">): readonly ToolSource[];
  close(): Promise<void>;
}

/** Creates the fleet of a config; undefined if the config has none. */
export function createHostFleet(config: Config): HostFleet | undefined {
  const address = fleetAddress(config);
  if (address === undefined) return undefined;
  const { rules, pools, tools, queue } = config.fleet;
  let opening: Promise<OpenFleet> | undefined;
  const open = (): Promise<OpenFleet> => {
    opening ??= openFleet({ ...address, queue }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  let sign: ReturnType<typeof createSign> | undefined;
  return {
    executors: [
      createFleetExecutor({
        open,
        sign: (text) => (sign ??= createSign(readFleetKey(config)))(text),
        rules,
        pools,
        tools,
      }),
    ],
    sources(engine) {
      const isTaken = (name: string): boolean => (engine.get(name)?.source ?? "fleet") !== "fleet";
      return [createFleetSource({ open, isTaken })];
    },
    async close() {
      const fleet = await opening?.catch(() => undefined);
      await fleet?.close();
    },
  };
}

/** Returns how to reach the fleet. Throws if the config has none. */
export function requireFleet(config: Config): NonNullable<ReturnType<typeof fleetAddress>> {
  const address = fleetAddress(config);
  if (address !== undefined) return address;
  throw new ToolError("INVALID_INPUT", "no fleet is configured: fleet.servers is not set", {
    hint: `toolwright config set fleet '{"servers": ["nats://HOST:4222"], "key": "/FILE"}'`,
  });
}

/** Reads the key with which calls are signed and checked. */
export function readFleetKey({ fleet: { key }, userHome }: Config): string {
  if (key === undefined)
    throw new ToolError("MISSING_CREDENTIALS", "fleet.key is not set: no call can be allowed", {
      hint: "openssl rand -hex 32 > FILE creates one; set fleet.key to that file on engines and workers",
    });
  try {
    return readFileSync(atHome(key, userHome), "utf8");
  } catch (cause) {
    throw new ToolError("MISSING_CREDENTIALS", `the key of the fleet cannot be read from ${key}`, { cause });
  }
}

/** The fleet of a worker, which sends no calls: a tool with the place `fleet` runs on the worker itself. */
export const ON_WORKER: HostFleet = {
  executors: [
    {
      place: "fleet",
      takes: () => false,
      execute() {
        throw new ToolError("NO_EXECUTOR", "a worker sends no calls to the fleet");
      },
    },
  ],
  sources: () => [],
  close: async () => undefined,
};
