import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpMessage } from "../types/source-types.ts";

/** How much of a message is shown to listeners. */
const SHOWN_CHARACTERS = 16_384;

export interface MessageListener {
  /** While it is false, messages cost nothing. */
  readonly isAny: () => boolean;
  readonly emit: (message: McpMessage) => void;
  readonly mask: (text: string) => string;
}

/** Reports every message that a transport sends and receives, once. Returns the transport. */
export function watchMessages<T extends Transport>(transport: T, { isAny, emit, mask }: MessageListener): T {
  // A message that one handler passes on to the one before it is the same message.
  const reported = new WeakSet<JSONRPCMessage>();
  const report = (direction: McpMessage["direction"], message: JSONRPCMessage): void => {
    if (!isAny() || reported.has(message)) return;
    reported.add(message);
    emit(describeMessage(direction, message, mask));
  };
  const send = transport.send.bind(transport);
  let handler = transport.onmessage;
  Object.assign(transport, {
    send: (...[message, options]: Parameters<Transport["send"]>) => {
      report("sent", message);
      return send(message, options);
    },
  });
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: (): Transport["onmessage"] => {
      const current = handler;
      if (current === undefined) return undefined;
      return (message, extra) => {
        report("received", message);
        current(message, extra);
      };
    },
    set(next: Transport["onmessage"]) {
      handler = next;
    },
  });
  return transport;
}

function describeMessage(
  direction: McpMessage["direction"],
  message: JSONRPCMessage,
  mask: (text: string) => string,
): McpMessage {
  const text = JSON.stringify(message);
  const id = "id" in message && message.id !== undefined ? { id: String(message.id) } : {};
  return {
    at: Date.now(),
    direction,
    ...id,
    ...("method" in message && { method: message.method }),
    isError: "error" in message,
    bytes: Buffer.byteLength(text),
    text: mask(text).slice(0, SHOWN_CHARACTERS),
  };
}
