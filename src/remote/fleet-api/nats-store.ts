import { openStoreInNats } from "../../store/nats/open-nats-store.ts";
import type { Store } from "../../store/replaceable-store.ts";
import { checkOptions, requireOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { connectFleet } from "../fleet/connect.ts";
import type { FleetAddress } from "../fleet/types/options.ts";
import { checkServers, SERVER_KINDS } from "./servers.ts";

/** Options of `openNatsStore`. */
export interface NatsStoreOptions extends FleetAddress {
  /** A folder on this machine, for long answers while they are written. */
  readonly folder: string;
  /** How long calls are stored after their last change. Default: forever. */
  readonly keepCallsMs?: number;
  /** How long a process may be silent before its open calls are answered as interrupted. Default: 20 s. */
  readonly leaseMs?: number;
}

const KINDS: OptionKinds<NatsStoreOptions> = {
  ...SERVER_KINDS,
  folder: "a text that is not empty",
  keepCallsMs: "a number of at least 0",
  leaseMs: "a positive number",
};

/**
 * Opens the store of a namespace in NATS servers with JetStream: journal, artifacts and collections that processes on any machine share.
 * Rejects with `INVALID_INPUT` for wrong options, `UNAVAILABLE` if no server answers and `UNAUTHORIZED` if the servers refuse the credentials.
 */
export async function openNatsStore(options: NatsStoreOptions): Promise<Store & AsyncDisposable> {
  checkOptions("openNatsStore", options, KINDS);
  requireOptions("openNatsStore", options, ["folder"]);
  checkServers("openNatsStore", options);
  const { folder, keepCallsMs, leaseMs } = options;
  const connection = await connectFleet(options, "toolwright store");
  try {
    const store = await openStoreInNats(connection, { folder, ...defined({ keepCallsMs, leaseMs }) });
    const close = async (): Promise<void> => {
      try {
        await store.close();
      } finally {
        await connection.close();
      }
    };
    return { ...store, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
