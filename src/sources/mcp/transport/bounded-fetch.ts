import { MAX_MESSAGE_BYTES } from "./server.ts";

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** An event ends with an empty line, in one of three line endings. */
const EVENT_ENDS = ["\n\n", "\r\n\r\n", "\r\r"];
const OVERLAP = 3;

interface BoundedFetchOptions {
  readonly maxBytes?: number | undefined;
  /** Called when a message is longer. */
  readonly onTooLong: (error: Error) => void;
}

/** Wraps a fetch: reading a response fails if a body, or one event of a stream, is longer than `maxBytes`. */
export function boundedFetch(
  fetch: Fetch,
  { maxBytes = MAX_MESSAGE_BYTES, onTooLong }: BoundedFetchOptions,
): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(bound(isStream, maxBytes, onTooLong));
    return withBody(response, body);
  };
}

function bound(
  isStream: boolean,
  maxBytes: number,
  onTooLong: BoundedFetchOptions["onTooLong"],
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let overlap = "";
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isStream) {
        const text = overlap + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
        const end = Math.max(...EVENT_ENDS.map((mark) => endOf(text, mark)));
        if (end >= 0) bytes = text.length - end;
        overlap = text.slice(-OVERLAP);
      }
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const error = new Error(`a message is longer than ${maxBytes} bytes`);
      onTooLong(error);
      return controller.error(error);
    },
  });
}

/** Returns the position after the last mark; −1 if there is none. */
function endOf(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at < 0 ? at : at + mark.length;
}

/** Returns the response with another body; the properties that a new `Response` lacks are copied, since redirects depend on them. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const bounded = new Response(body, { status, statusText, headers });
  return Object.defineProperties(bounded, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
  });
}
