import { useEffect, useRef, useSyncExternalStore } from "react";
import type { ApiEvent } from "../../src/app/http/api.ts";
import { EVENT_TYPES } from "./changes.ts";
import { urlOf } from "./client.ts";

/** `logged-out`: the server answers, but not to this browser. */
export type Connection = "connecting" | "live" | "lost" | "logged-out";
/** Receives an event and its id, which is empty for the first of a stream. */
export type Listener = (event: ApiEvent, id: string) => void;

/** How long to wait before the next attempt after the browser gave up. */
const RECONNECT_MS = 2000;

let connection: Connection = "connecting";
const watchers = new Set<() => void>();
const listeners = new Set<Listener>();

/** Returns true for an event that was too long for the stream: it has its type and session, and none of its other data. */
export function isCut(event: ApiEvent): boolean {
  return "isCut" in event;
}

/** Follows the events of the server as long as the page is open. After a loss the stream resumes where it stopped. */
export function followEvents(): () => void {
  return openStream((event, id) => {
    for (const listener of listeners) listener(event, id);
  }, setConnection);
}

/** Returns whether events arrive. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => connection,
  );
}

/** Calls the listener with each event while the component is shown. */
export function useEvents(listener: Listener): void {
  const current = useRef(listener);
  useEffect(() => {
    current.current = listener;
  });
  useEffect(() => {
    const own: Listener = (event, id) => current.current(event, id);
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  }, []);
}

function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const changed of watchers) changed();
}

/** An event source does not tell why it was refused. */
async function isLoggedOut(): Promise<boolean> {
  return fetch(urlOf("state", {})).then(
    ({ status }) => status === 401,
    () => false,
  );
}

function openStream(listener: Listener, changed: (connection: Connection) => void): () => void {
  let timer: number | undefined;
  let last = "";
  let source: EventSource | undefined;
  const received = ({ data, lastEventId }: MessageEvent<string>): void => {
    last = lastEventId;
    listener(JSON.parse(data) as ApiEvent, lastEventId);
  };
  const open = (): void => {
    source = new EventSource(urlOf("events", { after: last }));
    source.addEventListener("open", () => changed("live"));
    for (const type of EVENT_TYPES) source.addEventListener(type, received);
    source.addEventListener("error", () => {
      changed("lost");
      // The browser tries again by itself, unless the server refused the stream.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = window.setTimeout(open, RECONNECT_MS);
      void isLoggedOut().then((isOut) => isOut && changed("logged-out"));
    });
  };
  open();
  return () => {
    window.clearTimeout(timer);
    source?.close();
  };
}
