import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";

/**
 * Returns the stream with messages held back while a request `initialize` is being answered: a client may send its next request without waiting, and
 * the library refuses it. A message without a method that is no response either is answered here: the library takes it for a response and drops it.
 */
export function afterInitialize({ readable, writable }: Stream): Stream {
  let waiting: { readonly id: unknown; readonly answer: () => void } | undefined;
  let answered = Promise.resolve();
  const input = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      await answered;
      const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
      if (isNothing(message)) return refuse(message);
      if (method === "initialize" && id !== undefined)
        answered = new Promise((answer) => {
          waiting = { id, answer };
        });
      controller.enqueue(message);
    },
  });
  let refuse = (_message: AnyMessage): void => undefined;
  const output = new TransformStream<AnyMessage, AnyMessage>({
    start(controller) {
      refuse = (message) => controller.enqueue({ jsonrpc: "2.0", id: idOf(message), error: INVALID_REQUEST });
    },
    transform(message, controller) {
      controller.enqueue(message);
      if ("method" in message || waiting?.id !== message.id) return;
      waiting?.answer();
      waiting = undefined;
    },
  });
  output.readable.pipeTo(writable).catch(() => undefined);
  return { readable: readable.pipeThrough(input), writable: output.writable };
}

const INVALID_REQUEST = { code: -32_600, message: "Invalid request: it has no method" };

function isNothing(message: object): boolean {
  return !["method", "result", "error"].some((member) => member in message);
}

/** An id of another type cannot be sent back. */
function idOf(message: object): string | number | null {
  const { id } = message as { readonly id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}
