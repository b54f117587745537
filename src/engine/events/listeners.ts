import type { Event, Listener } from "../../core/events.ts";

/** Who hears what. */
export interface Listeners {
  /** Calls back on every event, or only on those named; gives back the way to stop. */
  readonly add: (listener: Listener, only?: readonly Event["type"][]) => () => void;
  /** False where nobody would hear such an event: then it need not be made. */
  readonly hears: (type: Event["type"]) => boolean;
  /** Tells an event to whoever wants it, in the order they came. Never throws. */
  readonly send: (event: Event) => void;
}

interface Subscription {
  readonly listener: Listener;
  readonly only: ReadonlySet<Event["type"]> | undefined;
}

export function createListeners(): Listeners {
  // A new list at each change: one that is being told an event is never changed under its feet.
  let subscriptions: readonly Subscription[] = [];
  let hearsAll = false;
  let heard: ReadonlySet<Event["type"]> = new Set();
  const count = (): void => {
    hearsAll = subscriptions.some(({ only }) => only === undefined);
    heard = new Set(subscriptions.flatMap(({ only }) => [...(only ?? [])]));
  };
  return {
    add(listener, only) {
      const subscription = { listener, only: only === undefined ? undefined : new Set(only) };
      subscriptions = [...subscriptions, subscription];
      count();
      return () => {
        subscriptions = subscriptions.filter((other) => other !== subscription);
        count();
      };
    },
    hears: (type) => hearsAll || heard.has(type),
    send(event) {
      for (const { listener, only } of subscriptions) {
        if (only === undefined || only.has(event.type)) tell(listener, event);
      }
    },
  };
}

/** A listener that throws hurts nobody. */
function tell(listener: Listener, event: Event): void {
  try {
    listener(event);
  } catch {
    // What a listener throws is its own affair.
  }
}
