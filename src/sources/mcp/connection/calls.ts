import { AsyncLocalStorage } from "node:async_hooks";
import type { Transport } from "@modelcontextprotocol/client";
import type { Asking } from "../types/source-types.ts";

/** The running calls of one server. */
export type Calls = ReturnType<typeof createCalls>;

interface Sent {
  readonly transport: Transport;
  readonly id: unknown;
  readonly call: Asking;
}

export function createCalls() {
  const running = new Set<Asking>();
  const sender = new AsyncLocalStorage<Asking>();
  const unanswered = new Set<Sent>();
  return {
    /** Adds a call and returns a function that removes it. */
    enter(context: Asking): () => void {
      running.add(context);
      return () => void running.delete(context);
    },
    /** Sends the request of a call: `sender` returns the call in everything that reads its response. */
    async send<T>(call: Asking, begin: () => Promise<T>): Promise<T> {
      try {
        return await sender.run(call, begin);
      } finally {
        // A cancelled request has no response.
        for (const sent of unanswered) if (sent.call === call) unanswered.delete(sent);
      }
    },
    sender: (): Asking | undefined => sender.getStore(),
    /** Has each response of a program read for the call whose request it answers: a program writes all of them to one stream. */
    follow(transport: Transport): void {
      const [send, receive] = [transport.send.bind(transport), transport.onmessage?.bind(transport)];
      Object.assign(transport, {
        send(...[message, options]: Parameters<Transport["send"]>) {
          const call = sender.getStore();
          if (call !== undefined && "id" in message && "method" in message)
            unanswered.add({ transport, id: message.id, call });
          return send(message, options);
        },
        onmessage(...[message, extra]: Parameters<NonNullable<Transport["onmessage"]>>) {
          const id = "id" in message && !("method" in message) ? message.id : undefined;
          const sent = [...unanswered].find((one) => one.transport === transport && one.id === id);
          if (sent === undefined) return receive?.(message, extra);
          unanswered.delete(sent);
          return sender.run(sent.call, () => receive?.(message, extra));
        },
      });
    },
    /** Returns every running call. */
    all: (): readonly Asking[] => [...running],
    /** Returns the call that a request of the server belongs to: that whose response has it, else the one that started last. */
    asking: (): Asking | undefined => sender.getStore() ?? [...running].at(-1),
  };
}
