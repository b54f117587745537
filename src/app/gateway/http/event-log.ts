import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const MAX_EVENTS = 1000;
const MAX_SIZE = 8 * 1024 * 1024;

/** Stores the latest events of one client's streams, so that a client that lost its connection receives what it missed. */
export function createEventLog(): EventStore {
  const stored: StoredEvent[] = [];
  let last = 0;
  let size = 0;
  return {
    storeEvent(stream, message) {
      last += 1;
      const event = { id: `${last}`, stream, message, size: JSON.stringify(message).length };
      stored.push(event);
      size += event.size;
      while (stored.length > MAX_EVENTS || (size > MAX_SIZE && stored.length > 1))
        size -= stored.shift()?.size ?? 0;
      return Promise.resolve(event.id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(stored.find((event) => event.id === id)?.stream),
    async replayEventsAfter(lastId, { send }) {
      const stream = stored.find((event) => event.id === lastId)?.stream;
      if (stream === undefined) throw new Error(`unknown event id ${lastId}`);
      // Includes events that are stored while these are sent: they reach the client in no other way.
      for (let id = Number(lastId) + 1; id <= last; id += 1) {
        const event = stored[id - Number(stored[0]?.id)];
        if (event?.stream === stream) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
