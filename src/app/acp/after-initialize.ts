import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";

/**
 * Returns the stream with messages held back while a request `initialize` is being answered: a client may send its next request without waiting, and
 * the library refuses it.
 */
export function afterInitialize({ readable, writable }: Stream): Stream {
  let waiting: { readonly id: unknown; readonly answer: () => void } | undefined;
  let answered = Promise.resolve();
  const input = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      await answered;
      const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
      if (method === "initialize" && id !== undefined)
        answered = new Promise((answer) => {
          waiting = { id, answer };
        });
      controller.enqueue(message);
    },
  });
  const output = new TransformStream<AnyMessage, AnyMessage>({
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
