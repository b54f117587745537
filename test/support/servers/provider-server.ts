import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";

/** The answer to one request. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes per write; default: everything at once. */
  readonly chunkBytes?: number;
  /** What follows the body: its end (the default), a dropped connection, or nothing. */
  readonly then?: "end" | "drop" | "hang";
}

/** A request that the provider received. */
export interface ProviderRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was received. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProviderServer {
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  /** Resolves when this many requests have been received. */
  hasReceived(count: number): Promise<void>;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
}

/** Starts a provider on loopback that sends these answers in turn, and 500 after them, or what a function answers. It is closed after the test. */
export async function serveProvider(
  test: TestContext,
  answers: readonly Served[] | ((request: ProviderRequest, index: number) => Served),
): Promise<ProviderServer> {
  const requests: ProviderRequest[] = [];
  const server = createServer();
  server.on("request", (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const received: ProviderRequest = {
        path: request.url ?? "",
        headers: request.headers,
        text,
        body: JSON.parse(text) as ProviderRequest["body"],
      };
      const index = requests.push(received) - 1;
      const planned = typeof answers === "function" ? answers(received, index) : answers[index];
      const answer = planned ?? { status: 500, body: "{}" };
      server.emit("requests");
      void reply(response, answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hasReceived: async (count) => {
      while (requests.length < count) await once(server, "requests");
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  };
}

async function reply(response: ServerResponse, answer: Served): Promise<void> {
  const { status = 200, headers = {}, body, chunkBytes, then = "end" } = answer;
  response.writeHead(status, { "content-type": contentType(status, body), ...headers });
  const bytes = Buffer.from(body, "utf8");
  const size = chunkBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    // Each chunk is sent on its own.
    await setImmediate();
  }
  if (then === "end") response.end();
  if (then === "drop") response.destroy();
}

function contentType(status: number, body: string): string {
  if (status !== 200) return "application/json";
  return body.startsWith("{") ? "application/x-ndjson" : "text/event-stream";
}
