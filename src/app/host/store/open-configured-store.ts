import { sha256 } from "../../../system/sha256.ts";
import { ToolError } from "../../../core/errors.ts";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { defined } from "../../../util/json/defined.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { openStore } from "../../../store/open-store.ts";
import type { Store as StoreParts } from "../../../store/replaceable-store.ts";
import { fleetAddress } from "../fleet/fleet-address.ts";
import { createMemoryArtifacts, createMemoryJournal } from "../../../store/in-memory.ts";

/** The journal, artifacts and collections of a config. `await using` closes it. */
export interface Store extends StoreParts, AsyncDisposable {}

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Opens the store that the config names: on disk, in memory or in NATS. Its journal records the workspace and this machine with each call. `onProblem`
 * receives what is lost or damaged, also later.
 */
export async function openConfiguredStore(
  config: ConfigGroups<"paths" | "storage" | "fleet">,
  onProblem?: (problem: string) => void,
): Promise<Store> {
  const store = await openNamedStore(config, onProblem);
  const { journal } = store;
  const [folder] = config.paths.workspace;
  const machine = hostname();
  return {
    ...store,
    journal: { ...journal, receive: (call) => journal.receive({ ...call, folder, machine }) },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

async function openNamedStore(
  config: ConfigGroups<"paths" | "storage" | "fleet">,
  onProblem?: (problem: string) => void,
): Promise<StoreParts> {
  const {
    paths: { store: folder },
    storage: { keepDays, keepMegabytes, ifLost },
  } = config;
  if (config.storage.isShared) return openSharedStore(config);
  if (folder !== ":memory:")
    return openStore({
      folder,
      keepCallsMs: keepDays * DAY_MS,
      keepCallsBytes: keepMegabytes * MEGABYTE,
      ifLost,
      ...defined({ onProblem }),
    });
  const [artifacts, journal] = [createMemoryArtifacts(), createMemoryJournal()];
  return {
    artifacts,
    journal,
    collections: createMemoryCollections(),
    close: async () => void (await Promise.all([artifacts.close(), journal.close()])),
  };
}

/** Its modules are loaded only for a config that uses it. */
async function openSharedStore(config: ConfigGroups<"fleet" | "paths" | "storage">): Promise<StoreParts> {
  const address = fleetAddress(config.fleet, config.paths.userHome);
  if (address === undefined)
    throw new ToolError("INVALID_INPUT", "the store is nats, and fleet.servers is not set", {
      hint: 'name the servers: { "fleet": { "servers": ["nats://127.0.0.1:4222"] } }',
    });
  const { openNatsStore } = await import("../../../remote/fleet-api/nats-store.ts");
  const {
    paths: { store: folder },
    storage: { keepDays },
  } = config;
  return openNatsStore({ ...address, folder, keepCallsMs: keepDays * DAY_MS });
}

/** Opens the store if it exists, else returns undefined. Never creates one on disk. */
export async function openPresentStore(
  config: ConfigGroups<"storage" | "paths" | "fleet">,
  onProblem?: (problem: string) => void,
): Promise<Store | undefined> {
  return config.storage.isShared || mayExist(join(config.paths.store, "toolwright.db"))
    ? openConfiguredStore(config, onProblem)
    : undefined;
}

/** Returns true also if the file cannot be read: opening the store then reports why. */
function mayExist(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Returns the session of a workspace, the same for every process that runs calls in it. */
export function workspaceSession(root: string): string {
  return `workspace-${sha256(root).slice(0, 16)}`;
}
