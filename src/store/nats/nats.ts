import { setTimeout as wait } from "node:timers/promises";
import type * as Jetstream from "@nats-io/jetstream";
import type * as Obj from "@nats-io/obj";
import type * as Transport from "@nats-io/transport-node";
import { ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** A connection to servers with JetStream, and the names of a namespace. */
export interface NatsAccess {
  readonly nc: Transport.NatsConnection;
  readonly js: Jetstream.JetStreamClient;
  /** On how many servers each message is stored. */
  readonly replicas: number;
  readonly packages: {
    readonly transport: typeof Transport;
    readonly jetstream: typeof Jetstream;
    readonly obj: typeof Obj;
  };
  readonly names: {
    /** The beginning of the names of streams and buckets of the store. */
    readonly store: string;
    /** The beginning of subjects. */
    readonly root: string;
  };
}

/** The store's access, and the API that creates streams. */
export interface Nats extends NatsAccess {
  readonly manager: Jetstream.JetStreamManager;
}

/** Throws `UNAVAILABLE` if the servers have no JetStream. */
export async function useNats(access: NatsAccess): Promise<Nats> {
  return { ...access, manager: await persist(() => access.packages.jetstream.jetstreamManager(access.nc)) };
}

/** Opens a bucket of the object store, which is created if it does not exist. */
export function openObjects(
  { js, replicas, packages }: Nats,
  name: string,
  maxAgeMs?: number,
): Promise<Obj.ObjectStore> {
  const ttl = maxAgeMs === undefined ? {} : { ttl: maxAgeMs * NANOSECONDS };
  return persist(() => new packages.obj.Objm(js).create(name, { replicas, ...ttl }));
}

/** Creates a stream, unless it exists. A user who may not create streams can use one that exists. */
export async function ensureStream(
  { manager, replicas }: Pick<Nats, "manager" | "replicas">,
  name: string,
  config: Partial<Jetstream.StreamConfig>,
): Promise<void> {
  await persist(async () => {
    try {
      await manager.streams.info(name);
      return;
    } catch (error) {
      if (apiCode(error) !== STREAM_NOT_FOUND) throw error;
    }
    try {
      await manager.streams.add({ num_replicas: replicas, ...config, name });
    } catch (error) {
      // Another process has just created it, perhaps with other limits.
      if (apiCode(error) !== NAME_IN_USE) throw error;
    }
  });
}

export const NANOSECONDS = 1_000_000;
/** How long work is tried again while servers elect a leader or cannot be reached. */
const PERSIST_MS = 15_000;
const AGAIN_MS = 100;

const STREAM_NOT_FOUND = 10_059;
const NAME_IN_USE = 10_058;
export const WRONG_SEQUENCE: ReadonlySet<number | undefined> = new Set([10_071, 10_164]);
export const NO_MESSAGE: ReadonlySet<number | undefined> = new Set([10_037, 10_043]);

/** Tries work again after temporary failures; throws `UNAVAILABLE` if it fails for good. Work must have the same effect twice. */
export async function persist<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  const end = Date.now() + PERSIST_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      if (!isTemporary(error) || Date.now() + AGAIN_MS > end) throw unavailable(error);
      await wait(AGAIN_MS);
    }
  }
}

/** What headers and subject may add to a message. */
const ROOM_BYTES = 8192;

/** Returns how long a message may be. */
export function maxPayload(nc: Transport.NatsConnection): number {
  return (nc.info?.max_payload ?? 1_048_576) - ROOM_BYTES;
}

/** Returns how often a message was delivered, its number in the stream, and when the server stored it: milliseconds since 1970. */
export function deliveryOf({ reply = "" }: Transport.Msg) {
  // $JS.ACK.[domain.account.]stream.consumer.delivered.sequence.sequence.time.pending[.random]
  const words = reply.split(".");
  const [count, sequence, , nanoseconds] = words.slice(words.length === 9 ? 4 : 6).map(Number);
  return { count: count ?? 0, sequence: sequence ?? 0, storedAt: (nanoseconds ?? 0) / NANOSECONDS };
}

/** Returns the code of an error of the JetStream API; undefined for any other error. */
export function apiCode(error: unknown): number | undefined {
  return isApiError(error) ? error.code : undefined;
}

/** Errors of the packages by name: their classes are not loaded here. */
function isApiError(error: unknown): error is Error & { readonly code: number; readonly status: number } {
  return (
    error instanceof Error && "status" in error && typeof (error as { code?: unknown }).code === "number"
  );
}

function isTemporary(error: unknown): boolean {
  if (isApiError(error)) return error.status >= 500;
  return !(error instanceof Error) || !FINAL_ERRORS.has(error.name);
}

const FINAL_ERRORS: ReadonlySet<string> = new Set([
  "ClosedConnectionError",
  "DrainingConnectionError",
  "PermissionViolationError",
  "AuthorizationError",
  "InvalidArgumentError",
  "InvalidSubjectError",
  "JetStreamNotEnabled",
  "TypeError",
]);

function unavailable(cause: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `the NATS servers cannot be used: ${errorMessage(cause)}`, {
    cause,
    hint: "check that the servers of fleet.servers run with JetStream and that the credentials allow it",
  });
}
