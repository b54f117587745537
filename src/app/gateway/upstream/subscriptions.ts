import {
  connectionOf,
  currentConnection,
  type Connection,
} from "../../../sources/mcp/connection/connection.ts";
import type { McpSource } from "../../../sources/mcp/types/source-types.ts";
import { throttle } from "../../../util/async/throttle.ts";
import type { ResourcePlace } from "../types/gateway-types.ts";

const TIMEOUT_MS = 10_000;
/** The shortest time between two updates of one resource. */
const QUIET_MS = 100;

/**
 * Creates subscriptions to upstream resources: one at the server for all clients of the same resource. Subscribes again at a restarted
 * server, and reports an update for each of its resources.
 */
export function createSubscriptions(sources: readonly McpSource[]) {
  const all = new Map<string, ReturnType<typeof createSubscription>>();
  const handled = new WeakSet<Connection>();
  /** Handles the updates of a connection for all its subscriptions. */
  const handleUpdates = (server: string, connection: Connection): void => {
    if (handled.has(connection)) return;
    handled.add(connection);
    connection.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      for (const { place, update } of all.values())
        if (place.server === server && isWithin(params.uri, place.uri)) update();
    });
  };
  const resubscribe = (source: McpSource): void => {
    const connection = currentConnection(source);
    if (connection === undefined) return;
    for (const one of all.values())
      if (one.place.server === source.server && !one.isOpenAt(connection)) {
        handleUpdates(source.server, connection);
        one.open(connection).then(one.update, () => undefined);
      }
  };
  const stops = sources.map((source) => source.watchLists(() => resubscribe(source)));
  return {
    /** Calls `updated` on each change until the returned function is called; undefined if the server does not report changes. */
    async add(
      place: ResourcePlace,
      updated: () => void,
      signal: AbortSignal,
    ): Promise<(() => void) | undefined> {
      const source = sources.find(({ server }) => server === place.server);
      const connection = source && (await connectionOf(source, signal));
      if (connection?.client.getServerCapabilities()?.resources?.subscribe !== true) return undefined;
      const key = JSON.stringify([place.server, place.uri]);
      const subscription = all.get(key) ?? createSubscription(place, () => void all.delete(key));
      all.set(key, subscription);
      const stop = subscription.listen(updated);
      handleUpdates(place.server, connection);
      try {
        await subscription.open(connection);
        return stop;
      } catch {
        stop();
        return undefined;
      }
    },
    close(): void {
      for (const stop of stops) stop();
      for (const subscription of all.values()) subscription.close();
    },
  };
}

/** Creates the subscription to one resource. */
function createSubscription(place: ResourcePlace, onClosed: () => void) {
  const listeners = new Set<() => void>();
  const updates = throttle<undefined>(() => {
    for (const listener of listeners) listener();
  }, QUIET_MS);
  let current: { readonly connection: Connection; readonly end: Promise<() => Promise<unknown>> } | undefined;
  const close = (): void => {
    listeners.clear();
    onClosed();
    void current?.end.then((end) => end()).catch(() => undefined);
  };
  return {
    place,
    close,
    /** Calls every listener. */
    update: () => updates.push(undefined),
    isOpenAt: (connection: Connection) => current?.connection === connection,
    /** Subscribes at the server, once a connection. */
    async open(connection: Connection): Promise<void> {
      if (current?.connection !== connection)
        current = { connection, end: subscribeAt(connection, place.uri) };
      const opened = current;
      try {
        await opened.end;
      } catch (error) {
        if (current === opened) current = undefined;
        throw error;
      }
    },
    listen(updated: () => void): () => void {
      // A function of its own: the same `updated` may be passed twice.
      const listener = (): void => updated();
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) close();
      };
    },
  };
}

/** An update may name a resource beneath the subscribed one. */
function isWithin(uri: string, base: string): boolean {
  return uri === base || uri.startsWith(base.endsWith("/") ? base : `${base}/`);
}

/** Subscribes by a stream in the newer protocol, by a request in the older ones; returns a function that ends it. */
async function subscribeAt({ client }: Connection, uri: string): Promise<() => Promise<unknown>> {
  const options = { timeout: TIMEOUT_MS };
  if (client.getProtocolEra() === "legacy") {
    await client.subscribeResource({ uri }, options);
    return () => client.unsubscribeResource({ uri }, options);
  }
  const stream = await client.listen({ resourceSubscriptions: [uri] }, options);
  return () => stream.close();
}
