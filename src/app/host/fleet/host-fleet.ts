import { readFileSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { Executor } from "../../../core/executor.ts";
import type { Journal } from "../../../core/store/journal.ts";
import type { ToolSource } from "../../../core/source.ts";
import { createSendingExecutor } from "../../../remote/fleet/executor.ts";
import { openOnce } from "../../../remote/fleet/open-once.ts";
import { openFleet, type FleetOptions, type OpenFleet } from "../../../remote/fleet/open-fleet.ts";
import { createFleetKeys, type FleetKeys } from "../../../remote/fleet/keys/sign.ts";
import { createFleetSource } from "../../../remote/fleet/source.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { QueuedApprover, Seal } from "../../../store/database/approval-queue.ts";
import { publishEvents } from "../../../remote/fleet/events.ts";
import type { ConfigGroups, PathSettings } from "../../config/groups.ts";
import { atHome } from "../../../system/paths/at-home.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { fleetAddress } from "./fleet-address.ts";
import { askInBoth, copyCalls, openFleetRecords, type FleetRecords } from "./share-calls.ts";

/** The fleet of a host; it is connected by the first call or load that needs it. */
export interface HostFleet {
  readonly executors: readonly Executor[];
  /** Creates the source of the tools that only workers have. */
  sources(engine: Pick<Engine, "get">): readonly ToolSource[];
  /** Connects, or waits for the connection; undefined without servers. */
  readonly open?: () => Promise<OpenFleet>;
  /** Opens the calls and approvals of all engines; undefined if the store of the host has them. */
  readonly records?: () => Promise<FleetRecords>;
  /** Lets every `serve` of the fleet see the calls of this engine, from now on. */
  share(engine: Engine): void;
  /** Returns an approver that asks where every `serve` of the fleet can answer too. */
  approver(own: QueuedApprover): QueuedApprover;
  close(): Promise<void>;
}

/** What the fleet needs of its host. */
export interface FleetContext {
  /** Masks secrets in what other machines see. */
  readonly mask?: (text: string) => string;
  /** The journal of the host, if it has one. */
  readonly journal?: Pick<Journal, "list">;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates the fleet of a config; undefined if the config has none. */
export function createHostFleet(
  config: ConfigGroups<"fleet" | "paths" | "storage">,
  { mask = (text) => text, journal: own }: FleetContext = {},
): HostFleet | undefined {
  const address = fleetAddress(config.fleet, config.paths.userHome);
  if (address === undefined) return undefined;
  const { rules, pools, tools, share = true } = config.fleet;
  const isPrivate = !share && !config.storage.isShared;
  const fleet = openOnce(async () => openFleet(requireFleet(config)));
  const { open } = fleet;
  const seal = createSeal(config);
  const records = openOnce(async () =>
    openFleetRecords(await open(), { keepCallsMs: config.storage.keepDays * DAY_MS, own, mask, seal }),
  );
  const shared: { close(): Promise<void> }[] = [];
  return {
    executors: [
      createSendingExecutor({
        open,
        rules,
        pools,
        tools,
      }),
    ],
    sources(engine) {
      const isTaken = (name: string): boolean => (engine.get(name)?.source ?? "fleet") !== "fleet";
      return [createFleetSource({ open, isTaken })];
    },
    open,
    ...(!config.storage.isShared && { records: records.open }),
    share(engine) {
      if (isPrivate) return;
      shared.push(publishEvents(open, engine));
      if (!config.storage.isShared) shared.push(copyCalls(engine, records.open, config.paths.workspace[0]));
    },
    approver: (own) =>
      config.storage.isShared || isPrivate || config.fleet.key === undefined
        ? own
        : askInBoth(own, records.open),
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, fleet.timeToClose()).unref());
      const ended = Promise.all(shared.map((one) => one.close())).then(() => records.close());
      await Promise.race([ended, late]);
      await Promise.race([fleet.close(), late]);
    },
  };
}

/** Returns how to reach the fleet, and its key if the config has one. Throws if the config has no fleet, or its key cannot be read. */
export function requireFleet(config: ConfigGroups<"fleet" | "paths">): FleetOptions {
  const address = fleetAddress(config.fleet, config.paths.userHome);
  const { queue, key } = config.fleet;
  if (address !== undefined)
    return { ...address, queue, key: key === undefined ? undefined : readKey(key, config.paths) };
  throw new ToolError("INVALID_INPUT", "no fleet is configured: fleet.servers is not set", {
    hint: `toolwright config set fleet '{"servers": ["nats://HOST:4222"], "key": "/FILE"}'`,
  });
}

/** Signs and checks approvals with the key of the fleet, which is read when it is first needed. */
function createSeal(config: ConfigGroups<"fleet" | "paths">): Seal {
  let keys: FleetKeys | undefined;
  const load = (): FleetKeys =>
    (keys ??= createFleetKeys(readKey(config.fleet.key ?? "", config.paths), "engine"));
  return {
    sign: (text) => load().sign("approval", text),
    verify: (text, signature) => load().verify("approval", text, signature),
  };
}

function readKey(key: string, { userHome }: PathSettings): string {
  try {
    return readFileSync(atHome(key, userHome), "utf8");
  } catch (cause) {
    throw new ToolError("MISSING_CREDENTIALS", `fleet.key cannot be read: ${errorMessage(cause)}`, {
      hint: "copy it from a machine of the fleet, or create the first: openssl rand -hex 32 > FILE",
      cause,
    });
  }
}
