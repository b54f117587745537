import type { Connection } from "../../sources/mcp/connect.ts";
import type { McpSource } from "../../sources/mcp/source.ts";
import type { ResourcePlace } from "./upstream.ts";

/** Watches over resources of servers behind us, one at the server for all clients that watch the same. */
export interface Subscriptions {
  /** Calls back on each change until what it gives back is called; undefined where the server does not tell of changes. */
  add(place: ResourcePlace, updated: () => void, signal: AbortSignal): Promise<(() => void) | undefined>;
  close(): void;
}

interface Watched {
  readonly place: ResourcePlace;
  readonly source: McpSource;
  readonly listeners: Set<() => void>;
  /** Where it is watched now, and what ends that. */
  held: { readonly connection: Connection; readonly end: Promise<() => Promise<unknown>> } | undefined;
}

const TIMEOUT_MS = 10_000;

/** A server that was started anew is told again what is watched, and whoever watches is told to look. */
export function createSubscriptions(sources: readonly McpSource[]): Subscriptions {
  const all = new Map<string, Watched>();
  const heard = new WeakSet<Connection>();
  const tell = (server: string, uri: string): void => {
    for (const { place, listeners } of all.values())
      if (place.server === server && isWithin(uri, place.uri)) for (const listener of listeners) listener();
  };
  const hold = async (watched: Watched, connection: Connection): Promise<void> => {
    if (watched.held?.connection === connection) return void (await watched.held.end);
    const { server, uri } = watched.place;
    if (!heard.has(connection))
      connection.client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
        tell(server, params.uri),
      );
    heard.add(connection);
    watched.held = { connection, end: watchAt(connection, uri) };
    await watched.held.end;
  };
  const again = (source: McpSource): void => {
    const connection = source.current();
    if (connection === undefined) return;
    for (const watched of all.values())
      if (watched.source === source && watched.held?.connection !== connection)
        void hold(watched, connection).then(
          () => tell(source.server, watched.place.uri),
          () => (watched.held = undefined),
        );
  };
  const stops = sources.map((source) => source.watchLists(() => again(source)));
  const release = (key: string, watched: Watched): void => {
    all.delete(key);
    void watched.held?.end.then((end) => end()).catch(() => undefined);
  };
  return {
    async add(place, updated, signal) {
      const source = sources.find(({ server }) => server === place.server);
      const connection = await source?.connection(signal);
      if (source === undefined || connection === undefined) return undefined;
      if (connection.client.getServerCapabilities()?.resources?.subscribe !== true) return undefined;
      const key = JSON.stringify([place.server, place.uri]);
      const watched = all.get(key) ?? { place, source, listeners: new Set(), held: undefined };
      all.set(key, watched);
      // One of its own for each who watches, so that the same function may come twice.
      const listener = (): void => updated();
      watched.listeners.add(listener);
      const stop = (): void => {
        if (watched.listeners.delete(listener) && watched.listeners.size === 0) release(key, watched);
      };
      try {
        await hold(watched, connection);
        return stop;
      } catch {
        watched.held = undefined;
        stop();
        return undefined;
      }
    },
    close() {
      for (const stop of stops) stop();
      for (const [key, watched] of all) release(key, watched);
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
