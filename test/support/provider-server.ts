import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";

/** What a provider answers to one request. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes a write; the whole at once where it is not said. */
  readonly chunkBytes?: number;
  /** What is done after the body: ends it (the default), drops the connection, or says nothing more. */
  readonly then?: "end" | "drop" | "hang";
}

/** What a provider was asked. */
export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProviderServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Resolves when that many requests have come. */
  hasAsked(count: number): Promise<void>;
  /** How many connections are open. */
  connections(): Promise<number>;
}

/** A provider on loopback that gives these answers in turn, and 500 after them. Gone when the test is over. */
export async function serveProvider(test: TestContext, answers: readonly Served[]): Promise<ProviderServer> {
  const asked: Asked[] = [];
  const server = createServer();
  server.on("request", (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const answer = answers[asked.length] ?? { status: 500, body: "{}" };
      asked.push({
        path: request.url ?? "",
        headers: request.headers,
        text,
        body: JSON.parse(text) as Asked["body"],
      });
      server.emit("asked");
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
    asked,
    hasAsked: async (count) => {
      while (asked.length < count) await once(server, "asked");
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
    // Each piece travels alone.
    await setImmediate();
  }
  if (then === "end") response.end();
  if (then === "drop") response.destroy();
}

function contentType(status: number, body: string): string {
  if (status !== 200) return "application/json";
  return body.startsWith("{") ? "application/x-ndjson" : "text/event-stream";
}
