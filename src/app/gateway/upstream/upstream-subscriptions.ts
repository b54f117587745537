import type { Connection } from "../../../sources/mcp/connection/connect.ts";
import type { McpSource } from "../../../sources/mcp/source.ts";
import { throttle } from "../../../util/async/throttle.ts";
import type { ResourcePlace } from "./upstream.ts";

/** Watches over resources of servers behind us, one at the server for all clients that watch the same. */
export interface Subscriptions {
  /** Calls back on each change until what it gives back is called; undefined where the server does not tell of changes. */
  add(place: ResourcePlace, updated: () => void, signal: AbortSignal): Promise<(() => void) | undefined>;
  close(): void;
}

const TIMEOUT_MS = 10_000;
/** A server that tells of changes without end is passed on this often. */
const QUIET_MS = 100;

/** A server that was started anew is told again what is watched, and whoever watches is told to look. */
export function createSubscriptions(sources: readonly McpSource[]): Subscriptions {
  const all = new Map<string, Watched>();
  const heard = new WeakSet<Connection>();
  /** The updates of a connection, for all that is watched there. */
  const hear = (server: string, connection: Connection): void => {
    if (heard.has(connection)) return;
    heard.add(connection);
    connection.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      for (const { place, tell } of all.values())
        if (place.server === server && isWithin(params.uri, place.uri)) tell();
    });
  };
  const again = (source: McpSource): void => {
    const connection = source.current();
    if (connection === undefined) return;
    for (const watched of all.values())
      if (watched.place.server === source.server && !watched.isHeldAt(connection)) {
        hear(source.server, connection);
        watched.hold(connection).then(watched.tell, () => undefined);
      }
  };
  const stops = sources.map((source) => source.watchLists(() => again(source)));
  return {
    async add(place, updated, signal) {
      const source = sources.find(({ server }) => server === place.server);
      const connection = await source?.connection(signal);
      if (connection?.client.getServerCapabilities()?.resources?.subscribe !== true) return undefined;
      const key = JSON.stringify([place.server, place.uri]);
      const watched = all.get(key) ?? createWatched(place, () => void all.delete(key));
      all.set(key, watched);
      const stop = watched.listen(updated);
      hear(place.server, connection);
      try {
        await watched.hold(connection);
        return stop;
      } catch {
        stop();
        return undefined;
      }
    },
    close() {
      for (const stop of stops) stop();
      for (const watched of all.values()) watched.release();
    },
  };
}

/** One resource, for all who watch it. */
interface Watched {
  readonly place: ResourcePlace;
  readonly tell: () => void;
  readonly isHeldAt: (connection: Connection) => boolean;
  /** Asks the server to tell of changes, once a connection. */
  readonly hold: (connection: Connection) => Promise<void>;
  readonly listen: (updated: () => void) => () => void;
  /** Nobody watches any more. */
  readonly release: () => void;
}

function createWatched(place: ResourcePlace, onReleased: () => void): Watched {
  const listeners = new Set<() => void>();
  // To look once is enough for all that has changed meanwhile.
  const news = throttle<undefined>(() => {
    for (const listener of listeners) listener();
  }, QUIET_MS);
  let held: { readonly connection: Connection; readonly end: Promise<() => Promise<unknown>> } | undefined;
  const release = (): void => {
    listeners.clear();
    onReleased();
    void held?.end.then((end) => end()).catch(() => undefined);
  };
  return {
    place,
    release,
    tell: () => news.push(undefined),
    isHeldAt: (connection) => held?.connection === connection,
    async hold(connection) {
      if (held?.connection !== connection) held = { connection, end: watchAt(connection, place.uri) };
      const current = held;
      try {
        await current.end;
      } catch (error) {
        if (held === current) held = undefined;
        throw error;
      }
    },
    listen(updated) {
      // One of its own for each who watches: the same function may come twice.
      const listener = (): void => updated();
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) release();
      };
    },
  };
}

/** What is told of may lie beneath what is watched. */
function isWithin(uri: string, watched: string): boolean {
  return uri === watched || uri.startsWith(watched.endsWith("/") ? watched : `${watched}/`);
}

/** The newer protocol has a stream for it, the older ones a request. Gives back what ends it. */
async function watchAt({ client }: Connection, uri: string): Promise<() => Promise<unknown>> {
  const options = { timeout: TIMEOUT_MS };
  if (client.getProtocolEra() === "legacy") {
    await client.subscribeResource({ uri }, options);
    return () => client.unsubscribeResource({ uri }, options);
  }
  const stream = await client.listen({ resourceSubscriptions: [uri] }, options);
  return () => stream.close();
}
