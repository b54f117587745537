import { MAX_MESSAGE_BYTES } from "./server.ts";

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** An event ends with an empty line, and lines end in one of three ways. */
const EVENT_ENDS = ["\n\n", "\r\n\r\n", "\r\r"];
const BORDER = 3;

export interface BoundedFetchOptions {
  readonly maxBytes?: number | undefined;
  /** Called when a message was longer. */
  readonly onTooLong: (error: Error) => void;
}

/** A fetch whose answers fail when one message in them is longer than it may be, however it comes. */
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
  let border = "";
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isStream) {
        const text = border + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
        const end = Math.max(...EVENT_ENDS.map((mark) => endOf(text, mark)));
        if (end >= 0) bytes = text.length - end;
        border = text.slice(-BORDER);
      }
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const error = new Error(`a message is longer than ${maxBytes} bytes`);
      onTooLong(error);
      return controller.error(error);
    },
  });
}

/** Where the text after the last mark begins; −1 where there is no mark. */
function endOf(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at < 0 ? at : at + mark.length;
}

/** The same answer; what a new one would forget is kept, since redirects are judged by it. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const bounded = new Response(body, { status, statusText, headers });
  return Object.defineProperties(bounded, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
  });
}
