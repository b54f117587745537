import type { Dispatcher } from "undici";
import { decompress, tooLong } from "./decompress.ts";

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** The longest body, before and after decompression. */
  readonly maxBytes: number;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends one request and reads the response whole, without streams, which cost more than the rest of a small request.
 * Rejects with the reason of the signal, with `TOOL_FAILED` for a body that is too long, else with the client's error.
 */
export function exchange(
  agent: Dispatcher,
  url: URL,
  { method, headers, body, signal, maxBytes }: Exchange,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let received: Readonly<Record<string, string>> = {};
    let chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: Error): void => {
      signal.removeEventListener("abort", abort);
      reject(error);
      controller?.abort(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null },
      {
        onRequestStart(started) {
          controller = started;
          if (signal.aborted) started.abort(signal.reason as Error);
        },
        onResponseStart(_, statusCode, fields) {
          [status, received, chunks, size] = [statusCode, headersOf(fields), [], 0];
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size <= maxBytes) chunks.push(chunk);
          else fail(tooLong(maxBytes));
        },
        onResponseEnd() {
          signal.removeEventListener("abort", abort);
          resolve(unpacked({ status, headers: received, body: joined(chunks) }, maxBytes));
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

function unpacked(response: Exchanged, maxBytes: number): Exchanged | Promise<Exchanged> {
  const encoding = response.headers["content-encoding"];
  return encoding === undefined
    ? response
    : decompress(response.body, encoding, maxBytes).then((body) => ({ ...response, body }));
}

function headersOf(
  fields: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const name in fields) headers[name] = String(fields[name] ?? "");
  return headers;
}
