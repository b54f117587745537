import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface Kept {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const MAX_EVENTS = 1000;
const MAX_SIZE = 8 * 1024 * 1024;

/** What one client's streams have carried lately, so that a client that lost its connection gets what it missed; the oldest is forgotten. */
export function createEventLog(): EventStore {
  const kept: Kept[] = [];
  let last = 0;
  let size = 0;
  return {
    storeEvent(stream, message) {
      last += 1;
      const one = { id: `${last}`, stream, message, size: JSON.stringify(message).length };
      kept.push(one);
      size += one.size;
      while (kept.length > MAX_EVENTS || (size > MAX_SIZE && kept.length > 1))
        size -= kept.shift()?.size ?? 0;
      return Promise.resolve(one.id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(kept.find((one) => one.id === id)?.stream),
    async replayEventsAfter(lastId, { send }) {
      const stream = kept.find((one) => one.id === lastId)?.stream;
      if (stream === undefined) throw new Error(`nothing is known of the event ${lastId}`);
      // Up to the very last: what comes meanwhile has no other way to the client.
      for (let id = Number(lastId) + 1; id <= last; id += 1) {
        const one = kept[id - Number(kept[0]?.id)];
        if (one?.stream === stream) await send(one.id, one.message);
      }
      return stream;
    },
  };
}
