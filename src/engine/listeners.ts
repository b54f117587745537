import type { EngineEvent, Listener } from "../core/events.ts";
import { notify } from "../util/async/listeners.ts";
import type { Listeners } from "./types/engine-parts.ts";

interface Subscription {
  readonly listener: Listener;
  readonly only: ReadonlySet<EngineEvent["type"]> | undefined;
}

/** Creates a list of event listeners. An exception or rejection of a listener is ignored. */
export function createListeners(): Listeners {
  // Replaced on each change, so that an event in progress iterates over an unchanged list.
  let subscriptions: readonly Subscription[] = [];
  let wantsAll = false;
  let wanted: ReadonlySet<EngineEvent["type"]> = new Set();
  const update = (changed: readonly Subscription[]): void => {
    subscriptions = changed;
    wantsAll = changed.some(({ only }) => only === undefined);
    wanted = new Set(changed.flatMap(({ only }) => [...(only ?? [])]));
  };
  return {
    add(listener, only) {
      const types = only === undefined ? undefined : new Set<EngineEvent["type"]>(only);
      // It is only called with the events that it accepts.
      const subscription: Subscription = { listener: listener as Listener, only: types };
      update([...subscriptions, subscription]);
      return () => update(subscriptions.filter((other) => other !== subscription));
    },
    hasListeners: (type) => wantsAll || wanted.has(type),
    emit(event) {
      for (const { listener, only } of subscriptions) {
        if (only === undefined || only.has(event.type)) notify(listener, event);
      }
    },
  };
}
