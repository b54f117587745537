import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";
import type * as Transport from "@nats-io/transport-node";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { createListening } from "./listen.ts";
import { openPublisher } from "./publisher.ts";
import { fleetNames } from "./names.ts";
import type { FleetAddress, FleetTls } from "./types/options.ts";

/** A connection to NATS, with the packages that use it and the names of a namespace. */
export type FleetConnection = Readonly<Awaited<ReturnType<typeof connectFleet>>>;

type NatsPackages = Readonly<Awaited<ReturnType<typeof loadPackages>>>;

const PACKAGES = ["transport-node", "jetstream", "kv", "obj"].map((name) => `@nats-io/${name}`);
const CONNECT_MS = 2000;
const ANSWER_MS = 5000;
const RECONNECT_MS = 250;
/** A server that answers no ping for three of these is left, sooner than workers that are not heard of are taken for gone. */
const PING_MS = 1000;

export interface ConnectOptions {
  /** Closes the connection if the servers refuse it later; default: they may have a wrong configuration for a while. */
  readonly endsIfRefused?: boolean;
  /** Receives a line when the connection is lost, and one when it is there again. */
  readonly warn?: (line: string) => void;
}

/**
 * Connects to the servers. Once connected, it reconnects for as long as it takes, with the credentials that the file has then. Rejects with
 * `UNAVAILABLE` if the packages are missing or no server answers a second attempt either, with `UNAUTHORIZED` if the servers refuse the credentials, and with
 * `MISSING_CREDENTIALS` if their file cannot be read.
 */
export async function connectFleet(
  address: FleetAddress,
  name: string,
  { endsIfRefused = false, warn }: ConnectOptions = {},
) {
  const packages = await loadPackages();
  const { transport, jetstream } = packages;
  const { servers, namespace = "default", credentials, tls, replicas = 1 } = address;
  const options: Transport.NodeConnectionOptions = {
    servers: [...servers],
    name,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    ignoreAuthErrorAbort: !endsIfRefused,
    ...(tls !== undefined && { tls: toTlsOptions(tls, servers) }),
    ...(credentials !== undefined && { authenticator: authenticatorOf(packages, credentials) }),
  };
  const connect = () => transport.connect(options);
  const nc = await connect()
    // A machine with a high load may need longer once.
    .catch((cause: unknown) => (cause instanceof transport.TimeoutError ? connect() : Promise.reject(cause)))
    .catch((cause: unknown) => {
      throw cannotConnect(packages, servers, cause);
    });
  const names = fleetNames(namespace);
  const listening = createListening(nc);
  const publisher = openPublisher(nc, names, listening);
  return {
    nc,
    ...listening,
    js: jetstream.jetstream(nc, { timeout: ANSWER_MS }),
    names,
    /** On how many servers streams and buckets are stored. */
    replicas,
    packages,
    publisher: { id: publisher.id, publish: publisher.publish },
    ...watchConnection(nc, warn),
    async close(): Promise<void> {
      publisher.close();
      await nc.close();
    },
  };
}

/** Returns an authenticator that reads the file at each connection; if that fails later, the file may be about to be replaced. */
function authenticatorOf({ transport }: NatsPackages, file: string): Transport.Authenticator {
  let last = readCredentials(file);
  return (nonce) => {
    last = attempt(() => readCredentials(file)) ?? last;
    const { bytes, isSeed } = last;
    return (isSeed ? transport.nkeyAuthenticator(bytes) : transport.credsAuthenticator(bytes))(nonce);
  };
}

/** The private part of an nkey of a user. */
const SEED = /^SU[A-Z2-7]{56}$/m;

/** Reads a token with its seed (.creds), or the seed of an nkey alone. */
function readCredentials(file: string): { readonly bytes: Uint8Array; readonly isSeed: boolean } {
  const text = attempt(() => readFileSync(file, "utf8"));
  const [seed] = text?.match(SEED) ?? [];
  if (text === undefined || seed === undefined)
    throw new ToolError(
      "MISSING_CREDENTIALS",
      `the credentials of the fleet cannot be read from ${JSON.stringify(file)}`,
      { hint: "set fleet.credentials to a .creds file, or to a file with the seed of an nkey (SU…)" },
    );
  const isSeed = text.trim() === seed;
  return { bytes: Buffer.from(isSeed ? seed : text), isSeed };
}

function watchConnection(nc: Transport.NatsConnection, warn: ConnectOptions["warn"]) {
  const listeners: (() => void)[] = [];
  let isConnected = true;
  const watch = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      if (type === "disconnect") {
        if (isConnected) warn?.("lost the connection to the fleet; reconnecting");
        isConnected = false;
      }
      if (type !== "reconnect") continue;
      warn?.(`connected to the fleet again, at ${nc.getServer()}`);
      isConnected = true;
      for (const listener of listeners) listener();
    }
  };
  void watch();
  return {
    /** Returns false between the loss of the connection and the next one; the client drops what is published then. */
    isConnected: (): boolean => isConnected,
    /** Calls back after each loss of the connection, when it is there again. */
    onReconnect: (listener: () => void): void => void listeners.push(listener),
  };
}

/** For an address, the client compares the certificate with "localhost"; here it is compared with the addresses of the servers. */
function toTlsOptions(tls: FleetTls, servers: readonly string[]): Transport.TlsOptions {
  const hosts = servers.map((one) => new URL(one.includes("://") ? one : `nats://${one}`).hostname);
  const addresses = hosts.map((host) => host.replace(/^\[|\]$/g, "")).filter((host) => isIP(host) !== 0);
  const checked: Pick<ConnectionOptions, "checkServerIdentity"> = {
    checkServerIdentity(host, certificate) {
      const names = host !== "localhost" || hosts.includes(host) ? [host, ...addresses] : addresses;
      const errors = names.map((name) => checkServerIdentity(name, certificate));
      return errors.includes(undefined) ? undefined : errors[0];
    },
  };
  return { ...defined({ caFile: tls.ca, certFile: tls.cert, keyFile: tls.key }), ...checked };
}

function cannotConnect({ transport }: NatsPackages, servers: readonly string[], cause: unknown): ToolError {
  const where = servers.join(", ");
  const isSilent = cause instanceof transport.TimeoutError;
  const why = isSilent ? `no answer within ${CONNECT_MS / 1000} s, twice` : errorMessage(cause);
  return cause instanceof transport.AuthorizationError
    ? new ToolError("UNAUTHORIZED", `the fleet at ${where} refused the credentials`, {
        cause,
        hint: "set fleet.credentials to a file with valid credentials",
      })
    : new ToolError("UNAVAILABLE", `the fleet cannot be reached at ${where}: ${why}`, {
        cause,
        hint: "check fleet.servers and fleet.tls, and that nats-server runs there with JetStream (nats-server -js)",
      });
}

/** Rejects with `UNAVAILABLE` if the packages are missing. */
export async function loadPackages() {
  try {
    const [transport, jetstream, kv, obj] = await Promise.all([
      import("@nats-io/transport-node"),
      import("@nats-io/jetstream"),
      import("@nats-io/kv"),
      import("@nats-io/obj"),
    ]);
    return { transport, jetstream, kv, obj };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new ToolError("UNAVAILABLE", "the packages of the fleet are missing", {
      cause,
      hint: `npm install ${PACKAGES.join(" ")} installs them, with -g if toolwright was installed with it`,
    });
  }
}
