import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { Readable } from "node:stream";

/** Responses that have no body by definition. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Fetches like `fetch`, but connects only to the given addresses of the host, whatever its name resolves to by then, and follows no
 * redirect. Rejects with the reason of the signal, or with a `TypeError` if the request fails.
 */
export async function fetchFrom(
  addresses: readonly string[],
  input: URL,
  init: RequestInit,
): Promise<Response> {
  const request = new Request(input, init);
  const body = init.body === undefined || init.body === null ? undefined : await request.text();
  const { signal } = request;
  try {
    const answer = await send(input, body, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal,
      lookup: (_name, { all }, found) => {
        const list = addresses.map((address) => ({ address, family: isIP(address) }));
        return all === true ? found(null, list) : found(null, list[0]?.address ?? "", list[0]?.family);
      },
    });
    return toResponse(answer);
  } catch (error) {
    throw signal.aborted ? signal.reason : new TypeError("fetch failed", { cause: error });
  }
}

async function send(url: URL, body: string | undefined, options: RequestOptions): Promise<IncomingMessage> {
  // Imported on use: most programs never log in.
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once("error", reject).end(body);
  });
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 500, statusMessage: statusText, rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  if (body === null) answer.resume();
  return new Response(body, { status, headers, ...(statusText !== undefined && { statusText }) });
}
